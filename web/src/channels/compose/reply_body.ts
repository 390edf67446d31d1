/** What somebody is about to send: the text of the box, a file with what stands below it, or a template. One shape for drafts, calls and matching. */
import type { Button } from '@parley/contract/messages/content.ts';
import type { Message, MessageBody } from '@parley/contract/messages/messages.ts';
import { fileNameFindings } from '@parley/contract/templates/fields.ts';

export interface ReplyBody
  extends Pick<MessageBody, 'type' | 'template' | 'variables' | 'media_id' | 'url' | 'file_name' | 'purpose'> {
  buttons?: Button[];
  /** As the person will read it; of a template what it says with its values filled in. */
  text: string;
}

/** A template says its text itself. */
export const callBody = ({ text, ...rest }: ReplyBody) =>
  rest.template ? rest : { ...rest, ...(text ? { text } : {}) };

export const ATTACHABLE = ['image', 'video', 'document'] as const;
export type Attachable = (typeof ATTACHABLE)[number];

/** The same once more, as it was sent the first time. */
export function bodyOf({
  text,
  type,
  content,
  template_id,
}: Pick<Message, 'text' | 'type' | 'content' | 'template_id'>): ReplyBody {
  if (template_id) {
    const { header_values = [], body_values = [] } = content?.template ?? {};
    return { text, template: template_id, variables: [...header_values, ...body_values] };
  }
  const buttons = content?.buttons ?? [];
  const pressed = buttons.length > 0 ? { buttons } : {};
  if (!content?.media_type) return { text, ...pressed };
  const { media_id, url, file_name } = content;
  // It is kept with the extension of the file and given without.
  const name = file_name?.replace(/\.[^.]*$/, '') ?? '';
  return {
    text,
    type,
    ...(media_id ? { media_id } : url ? { url } : {}),
    ...(type === 'document' && fileNameFindings(name).length === 0 ? { file_name: name } : {}),
    ...pressed,
  };
}
