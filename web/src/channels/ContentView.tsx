/** What a message carries besides its text, as it looks inside a bubble: file, lines above and below, buttons, and what it answers. */

import { getMedia } from '@parley/contract/media/media.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { IconCornerUpLeft, IconExternalLink, IconFile, IconPhone, IconTemplate } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { MediaView } from '../media/MediaView.tsx';
import styles from './ContentView.module.css';

const ICONS = { quick_reply: IconCornerUpLeft, link: IconExternalLink, phone_call: IconPhone } as const;

export interface ContentViewProps {
  content: Content | null;
  /** Why the file of a person could not be fetched; null while it may still come. */
  missing?: string | null;
  children: ReactNode;
}

export function ContentView({ content, missing = null, children }: ContentViewProps) {
  if (!content) return children;
  const { header, footer, buttons, pressed, template } = content;
  return (
    <>
      {template && (
        <span className={styles.template}>
          <IconTemplate size={13} aria-hidden />
          {template.name}
        </span>
      )}
      {content.media_type && (
        <div className={styles.file} data-said={children ? true : undefined}>
          <File content={content} missing={missing} />
        </div>
      )}
      {header && <strong className={styles.header}>{header}</strong>}
      {pressed && (
        <span className={styles.pressed}>
          <IconCornerUpLeft size={13} aria-hidden />
          Pressed a button
        </span>
      )}
      {children}
      {footer && <span className={styles.footer}>{footer}</span>}
      {buttons.length > 0 && (
        <ul className={styles.buttons} aria-label="Buttons">
          {buttons.map(({ type, text, value }) => {
            const Icon = ICONS[type];
            return (
              <li
                key={`${type} ${text} ${value}`}
                className={styles.button}
                title={type === 'quick_reply' ? undefined : value}
              >
                <Icon size={14} aria-hidden />
                {text}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

function File({ content, missing }: { content: Content; missing: string | null }) {
  const { media_id, media_type, url, file_name } = content;
  if (!media_type) return null;
  const name = file_name ?? WORDS[media_type];
  if (media_id) return <Stored id={media_id} type={media_type} name={name} />;
  if (url) return <MediaView type={media_type} url={url} file_name={name} />;
  return <Tile>{missing ? `${name}: ${missing}` : `${name} is being fetched`}</Tile>;
}

const WORDS = { image: 'Image', video: 'Video', document: 'Document' } as const;

/** Its addresses end, so they are asked for when it is looked at. */
function Stored({ id, type, name }: { id: string; type: 'image' | 'video' | 'document'; name: string }) {
  const missing = useReason(getMedia.needs);
  const answer = useEndpoint(getMedia, { params: { id } }, { enabled: missing === null, staleTime: 30 * 60_000 });
  const media = answer.data?.data;
  if (missing) return <Tile>{`${name}. ${missing}`}</Tile>;
  if (answer.error) return <Tile>{answer.error.status === 404 ? `${name} was deleted` : answer.error.message}</Tile>;
  if (!media?.get_url) return <Tile>{name}</Tile>;
  return <MediaView {...media} type={type} url={media.get_url} />;
}

const Tile = ({ children }: { children: ReactNode }) => (
  <span className={styles.tile}>
    <IconFile size={20} stroke={1.6} aria-hidden />
    {children}
  </span>
);
