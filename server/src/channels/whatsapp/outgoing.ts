/**
 * A message as WhatsApp takes it: the body of `POST /{phone_number_id}/messages`. Pure. A file was uploaded before, or
 * is a link.
 */
import type { Outgoing, OutgoingContent, OutgoingMedia } from '../channel.ts';

/** How WhatsApp gets a file: by the id of an upload, or from a link. */
export type MediaPlace = { id: string } | { link: string };

/** WhatsApp has no format for the message; the text says why. */
export class Unfit extends Error {}

type Body = Record<string, unknown>;

/** The longest id of a quick reply. */
const MAX_REPLY_ID = 256;

export function bodyOf(message: Outgoing, media: MediaPlace | null): Body {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    // A person who hides the number has only an id of WhatsApp's.
    ...(/^\d+$/.test(message.to) ? { to: message.to } : { recipient: message.to }),
    ...partOf(message, media),
    biz_opaque_callback_data: String(message.reference),
  };
}

function partOf({ text, content }: Outgoing, place: MediaPlace | null): Body {
  const media = content?.media && place ? mediaOf(content.media, place) : null;
  if (content?.template) return { type: 'template', template: templateOf(content, content.template, media) };
  if (content && content.buttons.length > 0)
    return { type: 'interactive', interactive: interactiveOf(text, content, media) };
  const words = [content?.header, text, content?.footer].filter((line) => line).join('\n\n');
  if (content?.media && media) {
    const { type } = content.media;
    return { type, [type]: words === '' ? media : { ...media, caption: words } };
  }
  return { type: 'text', text: { body: words, preview_url: /https?:\/\//.test(words) } };
}

const mediaOf = ({ type, file_name }: OutgoingMedia, place: MediaPlace): Body =>
  type === 'document' ? { ...place, filename: file_name } : { ...place };

type Template = NonNullable<OutgoingContent['template']>;

function templateOf(content: OutgoingContent, template: Template, media: Body | null): Body {
  const { name, language, header_values, body_values } = template;
  const components: Body[] = [];
  const words = (values: readonly string[]) => values.map((text) => ({ type: 'text', text }));
  if (content.media && media) {
    const { type } = content.media;
    components.push({ type: 'header', parameters: [{ type, [type]: media }] });
  } else if (header_values.length > 0) components.push({ type: 'header', parameters: words(header_values) });
  if (body_values.length > 0) components.push({ type: 'body', parameters: words(body_values) });
  components.push(...buttonsOf(content, body_values));
  return {
    name,
    language: { code: language, policy: 'deterministic' },
    ...(components.length > 0 ? { components } : {}),
  };
}

function buttonsOf({ purpose, buttons }: OutgoingContent, body_values: readonly string[]): Body[] {
  const button = (sub_type: string, index: number, parameter: Body): Body => ({
    type: 'button',
    sub_type,
    index: String(index),
    parameters: [parameter],
  });
  // WhatsApp adds the only button of a one-time code, which copies it.
  if (purpose === 'authentication')
    return body_values.slice(0, 1).map((text) => button('url', 0, { type: 'text', text }));
  return buttons.flatMap(({ type, value }, index) =>
    type === 'quick_reply' && value !== '' ? [button('quick_reply', index, { type: 'payload', payload: value })] : [],
  );
}

/** Buttons of a message without a template, within a session. */
function interactiveOf(
  text: string,
  { media: file, header, footer, buttons }: OutgoingContent,
  media: Body | null,
): Body {
  if (text === '') throw new Unfit('A message with buttons needs a text');
  const top = file && media ? { type: file.type, [file.type]: media } : header ? { type: 'text', text: header } : null;
  const rest = {
    ...(top ? { header: top } : {}),
    body: { text },
    ...(footer ? { footer: { text: footer } } : {}),
  };
  if (buttons.every(({ type }) => type === 'quick_reply')) {
    if (buttons.length > 3) throw new Unfit('A message without a template has at most three quick replies');
    const replies = buttons.map(({ text: title, value }) => ({
      type: 'reply',
      reply: { id: (value || title).slice(0, MAX_REPLY_ID), title },
    }));
    return { type: 'button', ...rest, action: { buttons: replies } };
  }
  const [link] = buttons;
  if (buttons.length > 1 || link?.type !== 'link')
    throw new Unfit('A message without a template has quick replies, or one link');
  const parameters = { display_text: link.text, url: link.value };
  return { type: 'cta_url', ...rest, action: { name: 'cta_url', parameters } };
}
