/** A message that a user is about to send: a text, a file with a caption, or a template. */
import type { Button } from '@parley/contract/messages/content.ts';
import type { Message, MessageBody } from '@parley/contract/messages/messages.ts';
import { fileNameFindings } from '@parley/contract/templates/fields.ts';

export interface ReplyBody
  extends Pick<
    MessageBody,
    | 'type'
    | 'template'
    | 'variables'
    | 'media_id'
    | 'url'
    | 'file_name'
    | 'purpose'
    | 'reply_to'
    | 'location'
    | 'contacts'
    | 'list'
  > {
  buttons?: Button[];
  /** The text that the recipient reads. For a template, this is the text with its values filled in. */
  text: string;
}

/** The body of the API call. It leaves out a template's text, which the server supplies. */
export const callBody = ({ text, ...rest }: ReplyBody) =>
  rest.template ? rest : { ...rest, ...(text ? { text } : {}) };

export const ATTACHABLE = ['image', 'video', 'document'] as const;
export type Attachable = (typeof ATTACHABLE)[number];

/** The body that resends a message. */
export function toReplyBody({
  text,
  type,
  content,
  template_id,
}: Pick<Message, 'text' | 'type' | 'content' | 'template_id'>): ReplyBody {
  const quoted = content?.answers ? { reply_to: content.answers } : {};
  if (template_id) {
    const { header_values = [], body_values = [] } = content?.template ?? {};
    return { text, template: template_id, variables: [...header_values, ...body_values], ...quoted };
  }
  const buttons = content?.buttons ?? [];
  if (content?.location) return { text: '', type, location: content.location, ...quoted };
  if (content?.contacts) return { text: '', type, contacts: content.contacts, ...quoted };
  if (content?.list) return { text, type, list: content.list, ...quoted };
  const rest = { ...(buttons.length > 0 ? { buttons } : {}), ...quoted };
  if (!content?.media_type) return { text, ...rest };
  const { media_id, url, file_name } = content;
  // The stored name includes the file extension; the request omits it.
  const name = file_name?.replace(/\.[^.]*$/, '') ?? '';
  return {
    text,
    type,
    ...(media_id ? { media_id } : url ? { url } : {}),
    ...(type === 'document' && fileNameFindings(name).length === 0 ? { file_name: name } : {}),
    ...rest,
  };
}
