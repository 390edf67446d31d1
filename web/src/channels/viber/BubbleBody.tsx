import type { BubbleBodyProps } from '../channel.ts';
import styles from './BubbleBody.module.css';

/** Shows a file, text, and one button. */
export function BubbleBody({ text, content, file }: BubbleBodyProps) {
  const button = content?.buttons[0];
  return (
    <div className={styles.root}>
      {file}
      {text && <p className={styles.text}>{text}</p>}
      {button && <span className={styles.button}>{button.text || 'Button'}</span>}
      <span className={styles.time} aria-hidden>
        9:41
      </span>
    </div>
  );
}
