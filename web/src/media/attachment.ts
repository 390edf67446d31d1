/** An attachment in a form: its value, its validation, and its request fields. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import type { Media } from '@parley/contract/media/media.ts';
import { FILE_REQUIRED, linkRefusal } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';

export interface AttachmentValue {
  source: 'file' | 'link';
  /** The file of a finished upload. */
  media: Pick<Media, 'id' | 'type' | 'file_name' | 'bytes' | 'width' | 'height' | 'get_url' | 'thumbnail_url'> | null;
  url: string;
}

export const NO_ATTACHMENT: AttachmentValue = { source: 'file', media: null, url: '' };

export function attachmentProblem(value: AttachmentValue, type: MediaType, channel: ChannelName | null): string | null {
  if (value.source === 'file') return value.media ? null : FILE_REQUIRED;
  return linkRefusal(value.url, mediaRule(type, channel))?.message ?? null;
}

/** The request fields of a template or message for its attachment. */
export const attachmentFields = ({ source, media, url }: AttachmentValue): { media_id?: string; url?: string } =>
  source === 'file' ? (media ? { media_id: media.id } : {}) : { url: url.trim() };
