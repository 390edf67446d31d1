import type { Button } from '@parley/contract/messages/content.ts';
import { BUTTON_ICONS } from '../button_icons.ts';
import type { BubbleBodyProps, ChannelBubble } from '../channel.ts';
import styles from './BubbleBody.module.css';
import { formatText } from './formatting.tsx';

/** WhatsApp shows up to three buttons as rows. If there are more, it shows two and a row that opens the list. */
const ROWS = 3;

/** Shows the file, header, text, and footer, with the buttons as rows below. */
function BubbleBody({ text, content, file }: BubbleBodyProps) {
  const hasCode = content?.purpose === 'authentication';
  return (
    <>
      <div className={styles.root}>
        {file}
        {content?.header && (
          <strong className={styles.header} dir="auto">
            {content.header}
          </strong>
        )}
        {text && (
          <p className={styles.text} dir="auto">
            {formatText(text)}
          </p>
        )}
        <span className={styles.bottom}>
          {content?.footer && <bdi className={styles.footer}>{content.footer}</bdi>}
          <span className={styles.time} aria-hidden>
            9:41
          </span>
        </span>
      </div>
      <Rows buttons={content?.buttons ?? []} hasCode={hasCode} />
    </>
  );
}

function Rows({ buttons, hasCode }: { buttons: readonly Button[]; hasCode: boolean }) {
  const shown = buttons.length > ROWS ? buttons.slice(0, ROWS - 1) : buttons;
  if (shown.length === 0 && !hasCode) return null;
  return (
    <ul className={styles.rows} aria-label="Buttons">
      {hasCode && <li className={styles.row}>Copy code</li>}
      {shown.map(({ type, text }, at) => {
        const Icon = BUTTON_ICONS[type];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button has no other identity while it is being written
          <li key={at} className={styles.row}>
            <Icon size={15} aria-hidden />
            <bdi>{text || 'Button'}</bdi>
          </li>
        );
      })}
      {buttons.length > ROWS && <li className={styles.row}>See all options</li>}
    </ul>
  );
}

export const bubble: ChannelBubble = { name: 'WHATSAPP', BubbleBody };
