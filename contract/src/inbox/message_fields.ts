/** The fields of a conversation's message that repeat its content, one value each. */

import type { MediaType } from '../media/types.ts';
import type { Content } from '../messages/content.ts';

const IMAGE = /\.(bmp|gif|jpe?g|png|svg|webp)$/i;
const VIDEO = /\.(3gpp?|m4v|mov|mp4)$/i;

/** Infers the type of a file from the extension of its name. */
export const inferMediaType = (name: string): MediaType =>
  IMAGE.test(name) ? 'image' : VIDEO.test(name) ? 'video' : 'document';

export interface MessageFields {
  url: string | null;
  file_name: string | null;
  media_id: string | null;
  media_type: MediaType | 'text';
  button_type: string | null;
  button_text: string | null;
  button_value: string | null;
}

export function messageFields(content: Content | null): MessageFields {
  const { url = null, file_name = null, media_id = null, media_type = null } = content ?? {};
  const button = content?.buttons[0];
  const hasFile = url !== null || media_id !== null;
  return {
    url,
    file_name,
    media_id,
    media_type: media_type ?? (hasFile ? inferMediaType(file_name ?? url?.replace(/[?#].*$/s, '') ?? '') : 'text'),
    button_type: button?.type ?? null,
    button_text: button?.text ?? null,
    button_value: button?.value ?? null,
  };
}
