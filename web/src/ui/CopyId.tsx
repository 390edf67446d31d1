import { Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import styles from './CopyId.module.css';

export interface CopyIdProps {
  value: string;
  /** What it is, for the accessible name: "message id". */
  label?: string;
  /** The first characters only; everything is copied. */
  short?: boolean;
}

export function CopyId({ value, label = 'id', short = false }: CopyIdProps) {
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
          void navigator.clipboard.writeText(value).then(() => setCopied(true));
        }}
      >
        <span className={styles.text}>{short ? value.slice(0, 8) : value}</span>
        {copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
      </button>
    </Tooltip>
  );
}
