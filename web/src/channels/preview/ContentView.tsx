/** The content of a message inside its bubble: file, header, text, footer, and buttons. */
import { getMedia } from '@parley/contract/media/media.ts';
import type { ContactCard } from '@parley/contract/messages/cards.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { IconCornerUpLeft, IconFile, IconTemplate } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { MediaView } from '../../media/MediaView.tsx';
import { BUTTON_ICONS } from '../button_icons.ts';
import { CardView, hidesText } from '../cards/CardView.tsx';
import styles from './ContentView.module.css';

interface ContentViewProps {
  content: Content | null;
  /** Why an inbound file could not be fetched; null while the file may still arrive. */
  missing?: string | null;
  /** The actions for a contact in the message. */
  contactTool?: (contact: ContactCard) => ReactNode;
  children: ReactNode;
}

export function ContentView({ content, missing = null, contactTool, children }: ContentViewProps) {
  if (!content) return children;
  const { header, footer, buttons, pressed, template } = content;
  return (
    <>
      {template && (
        <span className={styles.template}>
          <IconTemplate size={13} aria-hidden />
          <bdi>{template.name}</bdi>
        </span>
      )}
      {content.media_type && (
        <div className={styles.file} data-text={children ? true : undefined}>
          <File content={content} missing={missing} />
        </div>
      )}
      {header && (
        <strong className={styles.header} dir="auto">
          {header}
        </strong>
      )}
      {pressed && (
        <span className={styles.pressed}>
          <IconCornerUpLeft size={13} aria-hidden />
          {pressed.from_list ? 'Chose from a list' : 'Pressed a button'}
        </span>
      )}
      {!hidesText(content) && children}
      <CardView content={content} contactTool={contactTool} />
      {footer && <bdi className={styles.footer}>{footer}</bdi>}
      {buttons.length > 0 && <Buttons buttons={buttons} />}
    </>
  );
}

function Buttons({ buttons }: Pick<Content, 'buttons'>) {
  return (
    <ul className={styles.buttons} aria-label="Buttons">
      {buttons.map(({ type, text, value }) => {
        const Icon = BUTTON_ICONS[type];
        return (
          <li
            key={`${type} ${text} ${value}`}
            className={styles.button}
            title={type === 'quick_reply' ? undefined : value}
          >
            <Icon size={14} aria-hidden />
            <bdi>{text}</bdi>
          </li>
        );
      })}
    </ul>
  );
}

const FILE_LABELS = { image: 'Image', video: 'Video', document: 'Document' } as const;

function File({ content, missing }: { content: Content; missing: string | null }) {
  const { media_id, media_type, url, file_name } = content;
  if (!media_type) return null;
  const name = file_name ?? FILE_LABELS[media_type];
  if (media_id) return <StoredFile id={media_id} type={media_type} name={name} />;
  if (url) return <MediaView type={media_type} url={url} file_name={name} />;
  return <Tile>{missing ? `${name}: ${missing}` : `${name} is being fetched`}</Tile>;
}

/** A file stored in the account. Its links expire, so they are requested only when the file is shown. */
function StoredFile({ id, type, name }: { id: string; type: 'image' | 'video' | 'document'; name: string }) {
  const reason = useReason(getMedia.needs);
  const query = useEndpoint(getMedia, { params: { id } }, { enabled: reason === null, staleTime: 30 * 60_000 });
  const media = query.data?.data;
  if (reason) return <Tile>{`${name}. ${reason}`}</Tile>;
  if (query.error) return <Tile>{query.error.status === 404 ? `${name} was deleted` : query.error.message}</Tile>;
  if (!media?.get_url) return <Tile>{name}</Tile>;
  return <MediaView {...media} type={type} url={media.get_url} />;
}

const Tile = ({ children }: { children: ReactNode }) => (
  <span className={styles.tile}>
    <IconFile size={20} stroke={1.6} aria-hidden />
    {children}
  </span>
);
