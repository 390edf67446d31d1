import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isInvisible, NO_VISIBLE_TEXT } from '../../ui/message/visible_text.ts';
import styles from './Thread.module.css';

/** Longer texts are cut on the screen, so that one message does not fill several of them. */
const LONG = 1_000;
const LONG_LINES = 30;

interface MessageTextProps {
  text: string;
  /** The text with its links and formatting. */
  children: ReactNode;
}

export function MessageText({ text, children }: MessageTextProps) {
  const [isOpen, setOpen] = useState(false);
  if (isInvisible(text)) return <em className={styles.invisible}>{NO_VISIBLE_TEXT}</em>;
  if (text.length <= LONG && text.split('\n', LONG_LINES + 1).length <= LONG_LINES)
    return <span className={styles.text}>{children}</span>;
  return (
    <>
      <span className={styles.text} data-cut={!isOpen || undefined}>
        {children}
      </span>
      <Button variant="default" size="compact-xs" mt={6} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : 'Show full message'}
      </Button>
    </>
  );
}
