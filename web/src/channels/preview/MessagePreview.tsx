/**
 * A message on the phone, as its channel shows it: an SMS with the places where it is cut, WhatsApp with the line above, the line below and buttons as rows,
 * Viber with a button of its own. The one place that knows how channels look; templates, the composer and campaigns give it text and content.
 */

import type { ChannelName } from '@parley/contract/channels/names.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import type { Button, Content } from '@parley/contract/messages/content.ts';
import { IconCornerUpLeft, IconExternalLink, IconPhone } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { usePhone } from '../../ui/data/phone.ts';
import { PhonePreview, type PreviewStepper } from '../../ui/message/PhonePreview.tsx';
import { marked } from '../marked.tsx';
import { breaksOf } from '../sms/reading.ts';
import styles from './MessagePreview.module.css';
import { PreviewFile } from './PreviewFile.tsx';

export interface MessagePreviewProps {
  channel: ChannelName;
  /** A number, which is set out as people read it, or a name. */
  sender: string;
  /** As the person reads it: values filled in. */
  text: string;
  /** Null: a text and nothing else. */
  content: Content | null;
  /** A file that has just been chosen; the one of `content` unless given. */
  media?: ReactNode;
  stepper?: PreviewStepper;
  empty?: string;
}

export function MessagePreview({ channel, sender, text, content, media, stepper, empty }: MessagePreviewProps) {
  const shown = usePhone(sender).text || sender;
  const breaks = useMemo(() => (channel === 'SMS' ? breaksOf(segment(text)) : []), [channel, text]);
  const file = media ?? (content?.media_type ? <PreviewFile content={content} /> : null);
  const nothing = text === '' && !file && !content?.header && !content?.footer && !content?.buttons.length;
  const bubble =
    channel === 'SMS' || nothing
      ? { text, breaks }
      : channel === 'WHATSAPP'
        ? { text, ...whatsapp(text, content, file) }
        : { text, body: <Viber text={text} button={content?.buttons[0] ?? null} file={file} /> };
  return (
    <PhonePreview
      channel={channel}
      sender={shown}
      empty={empty ?? 'Your message will appear here'}
      bubbles={[{ key: 'message', from: 'business', ...bubble }]}
      {...(stepper ? { stepper } : {})}
    />
  );
}

const ICONS = { quick_reply: IconCornerUpLeft, link: IconExternalLink, phone_call: IconPhone } as const;

/** Up to three buttons are rows of the bubble; of more, the rest is behind one of them. */
const ROWS = 3;

function whatsapp(text: string, content: Content | null, file: ReactNode) {
  const buttons = content?.buttons ?? [];
  const shown = buttons.length > ROWS ? buttons.slice(0, ROWS - 1) : buttons;
  const one_time = content?.purpose === 'authentication';
  return {
    body: (
      <>
        <div className={styles.whatsapp}>
          {file}
          {content?.header && <strong className={styles.header}>{content.header}</strong>}
          {text && <p className={styles.text}>{marked(text)}</p>}
          <span className={styles.foot}>
            {content?.footer && <span className={styles.footer}>{content.footer}</span>}
            <span className={styles.time} aria-hidden>
              9:41
            </span>
          </span>
        </div>
        {(shown.length > 0 || one_time) && (
          <ul className={styles.rows} aria-label="Buttons">
            {one_time && <li className={styles.row}>Copy code</li>}
            {shown.map(({ type, text: label }, at) => {
              const Icon = ICONS[type];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place while it is being written
                <li key={at} className={styles.row}>
                  <Icon size={15} aria-hidden />
                  {label || 'Button'}
                </li>
              );
            })}
            {buttons.length > ROWS && <li className={styles.row}>See all options</li>}
          </ul>
        )}
      </>
    ),
  };
}

function Viber({ text, button, file }: { text: string; button: Button | null; file: ReactNode }) {
  return (
    <div className={styles.viber}>
      {file}
      {text && <p className={styles.text}>{text}</p>}
      {button && <span className={styles.pill}>{button.text || 'Button'}</span>}
      <span className={styles.time} aria-hidden>
        9:41
      </span>
    </div>
  );
}
