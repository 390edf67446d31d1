import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Tooltip } from '../feedback/Tooltip.tsx';
import styles from './CopyId.module.css';

interface CopyIdProps {
  value: string;
  /** The ID's description in the accessible name, such as "message ID". */
  label?: string;
  /** The text to show, if it differs from the copied text. */
  text?: string;
  /** Shows only the first 8 characters; the button copies the whole ID. */
  short?: boolean;
}

export function CopyId({ value, label = 'ID', text = value, short = false }: CopyIdProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
      <button
        type="button"
        className={styles.root}
        aria-label={copied ? `${label} copied` : `Copy ${label} ${value}`}
        onClick={(event) => {
          event.stopPropagation();
          void copyText(value).then(setCopied);
        }}
      >
        <span className={styles.text}>{short ? text.slice(0, 8) : text}</span>
        {copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
      </button>
    </Tooltip>
  );
}

/**
 * Copies a text. The clipboard API exists only in secure contexts; over plain HTTP a hidden text area is used instead.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
