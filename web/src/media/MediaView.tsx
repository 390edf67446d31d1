import { IconDownload, IconExternalLink, IconFile, IconPhotoOff } from '@tabler/icons-react';
import { type CSSProperties, useState } from 'react';
import { formatBytes } from '../ui/data/format.ts';
import styles from './MediaView.module.css';
import { mediaPath } from './media_path.ts';

interface MediaViewProps {
  type: 'image' | 'video' | 'document';
  url: string;
  thumbnail_url?: string | null;
  file_name: string;
  bytes?: number | null;
  width?: number | null;
  height?: number | null;
  /** Shows the thumbnail instead of the full image. */
  small?: boolean;
}

/**
 * A media file. Its space is reserved before it loads. Files that cannot be shown can be downloaded; voice
 * messages are played, and files on other hosts are linked but never loaded.
 */
export function MediaView(props: MediaViewProps) {
  const { type, url, thumbnail_url, file_name, small = false } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const local = mediaPath(url);
  if (local === null) return <ExternalLink url={url} name={file_name} />;
  if (type === 'document' && SOUND.test(file_name) && broken !== local)
    return <Sound {...props} href={local} onError={() => setBroken(local)} />;
  if (type === 'document' || (type === 'video' && broken === local)) return <Download {...props} href={local} />;
  if (broken === local)
    return (
      <div className={styles.frame} style={reserveSpace(props)} data-broken role="img" aria-label={file_name}>
        <IconPhotoOff size={22} stroke={1.6} aria-hidden />
        <span>The file is corrupted</span>
      </div>
    );
  const thumbnail = thumbnail_url ? mediaPath(thumbnail_url) : null;
  const onError = () => setBroken(local);
  return (
    <div className={styles.frame} style={reserveSpace(props)}>
      {type === 'image' ? (
        <img src={(small && thumbnail) || local} alt={file_name} loading="lazy" decoding="async" onError={onError} />
      ) : (
        <video
          src={local}
          {...(thumbnail ? { poster: thumbnail } : {})}
          controls
          preload="metadata"
          playsInline
          aria-label={file_name}
          onError={onError}
        />
      )}
    </div>
  );
}

// Files without known dimensions get a common aspect ratio.
function reserveSpace({ type, width, height }: MediaViewProps): CSSProperties {
  const size = width && height ? { width, height } : { width: 320, height: type === 'video' ? 180 : 240 };
  return { '--ratio': `${size.width} / ${size.height}`, '--natural': `${size.width}px` } as CSSProperties;
}

/** The sounds that browsers can play. Others are downloaded. */
const SOUND = /\.(?:aac|m4a|mp3|oga|ogg)$/i;

function Sound({ file_name, href, onError }: MediaViewProps & { href: string; onError: () => void }) {
  return (
    <span className={styles.sound}>
      {/* biome-ignore lint/a11y/useMediaCaption: voice messages have no captions */}
      <audio src={href} controls preload="metadata" aria-label={file_name} onError={onError} />
      <a href={href} download={file_name} aria-label={`Download ${file_name}`}>
        <IconDownload size={16} aria-hidden />
      </a>
    </span>
  );
}

function Download({ file_name, bytes, href }: MediaViewProps & { href: string }) {
  return (
    <a className={styles.tile} href={href} download={file_name}>
      <IconFile size={22} stroke={1.6} aria-hidden />
      <span className={styles.words}>
        <span className={styles.name}>{file_name}</span>
        <span className={styles.note}>
          Click to download file{bytes === null || bytes === undefined ? '' : ` (${formatBytes(bytes)})`}
        </span>
      </span>
      <IconDownload size={16} aria-hidden />
    </a>
  );
}

function ExternalLink({ url, name }: { url: string; name: string }) {
  const safe = /^https?:\/\//i.test(url);
  const content = (
    <>
      <IconFile size={22} stroke={1.6} aria-hidden />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.note}>{safe ? new URL(url).host : 'The link cannot be opened'}</span>
      </span>
      {safe && <IconExternalLink size={16} aria-hidden />}
    </>
  );
  return safe ? (
    <a className={styles.tile} href={url} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  ) : (
    <div className={styles.tile}>{content}</div>
  );
}
