/** The file of a message inside its bubble. Files on other hosts are not loaded: a placeholder names the host. */
import { getMedia } from '@parley/contract/media/media.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { IconFile, IconPhoto, IconPlayerPlay } from '@tabler/icons-react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { mediaPath } from '../../media/media_path.ts';
import styles from './PreviewFile.module.css';

const ICONS = { image: IconPhoto, video: IconPlayerPlay, document: IconFile } as const;
const LABELS = { image: 'Image', video: 'Video', document: 'Document' } as const;

interface FilePlaceholderProps {
  type: 'image' | 'video' | 'document';
  /** The name of a document, or a link's host. */
  name: string;
  /** The URL of a thumbnail; shown only if it is on our own host. */
  picture?: string | null;
}

export function FilePlaceholder({ type, name, picture = null }: FilePlaceholderProps) {
  const Icon = ICONS[type];
  const local = picture && mediaPath(picture);
  if (type === 'document')
    return (
      <span className={styles.document}>
        <Icon size={20} stroke={1.6} aria-hidden />
        <span className={styles.name}>{name || LABELS.document}</span>
      </span>
    );
  return (
    <span className={styles.picture} data-empty={local ? undefined : true}>
      {local ? (
        <img src={local} alt={name || LABELS[type]} />
      ) : (
        <span className={styles.name}>{name || LABELS[type]}</span>
      )}
      {(type === 'video' || !local) && (
        <span className={styles.sign}>
          <Icon size={22} stroke={1.6} aria-hidden />
        </span>
      )}
    </span>
  );
}

export function PreviewFile({ content }: { content: Pick<Content, 'media_id' | 'media_type' | 'url' | 'file_name'> }) {
  const { media_id, media_type, url, file_name } = content;
  const reason = useReason(getMedia.needs);
  const query = useEndpoint(
    getMedia,
    { params: { id: media_id ?? '' } },
    { enabled: media_id !== null && reason === null, staleTime: 30 * 60_000 },
  );
  if (!media_type) return null;
  const media = query.data?.data;
  const host = url && URL.canParse(url) ? new URL(url).host : '';
  const picture = media ? (media.thumbnail_url ?? (media_type === 'image' ? media.get_url : null)) : null;
  const name = media_type === 'document' ? (file_name ?? media?.file_name ?? host) : host;
  return <FilePlaceholder type={media_type} name={name} picture={picture} />;
}
