import type { BubbleBodyProps, ChannelBubble } from '../channel.ts';
import styles from './BubbleBody.module.css';

/** Shows a file, text, and one button. */
function BubbleBody({ text, content, file }: BubbleBodyProps) {
  const button = content?.buttons[0];
  return (
    <div className={styles.root}>
      {file}
      {text && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {button && <bdi className={styles.button}>{button.text || 'Button'}</bdi>}
      <span className={styles.time} aria-hidden>
        9:41
      </span>
    </div>
  );
}

export const bubble: ChannelBubble = { name: 'VIBER', BubbleBody };
