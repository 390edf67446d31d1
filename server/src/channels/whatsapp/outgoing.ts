/** Builds the body of `POST /{phone_number_id}/messages`. A file is either already uploaded or sent as a link. */
import type { Cards, ContactCard } from '@parley/contract/messages/cards.ts';
import type { Outgoing } from '../channel.ts';
import type { OutgoingContent, OutgoingMedia } from '../outgoing_content.ts';

/** The way in which WhatsApp gets a file: by the id of an upload, or from a link. */
export type MediaPlace = { id: string } | { link: string };

/** WhatsApp has no format for the message. The error text states why. */
export class Unfit extends Error {}

type Body = Record<string, unknown>;

/** The maximum length of a quick reply's id. */
const MAX_REPLY_ID = 256;

const addressed = (to: string): Body => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  // A person who hides their number has only WhatsApp's own id.
  ...(/^\d+$/.test(to) ? { to } : { recipient: to }),
});

export const buildReaction = (to: string, message_id: string, emoji: string): Body => ({
  ...addressed(to),
  type: 'reaction',
  reaction: { message_id, emoji },
});

export function buildBody(message: Outgoing, media: MediaPlace | null): Body {
  return {
    ...addressed(message.to),
    ...buildContent(message, media),
    ...(message.content?.quoted_id ? { context: { message_id: message.content.quoted_id } } : {}),
    biz_opaque_callback_data: String(message.reference),
  };
}

function buildContent({ text, content }: Outgoing, source: MediaPlace | null): Body {
  const media = content?.media && source ? buildMedia(content.media, source) : null;
  if (content?.template) return { type: 'template', template: buildTemplate(content, content.template, media) };
  if (content && content.buttons.length > 0)
    return { type: 'interactive', interactive: buildInteractive(text, content, media) };
  const card = content?.cards ? buildCard(text, content.cards) : null;
  if (card) return card;
  const full_text = [content?.header, text, content?.footer].filter((line) => line).join('\n\n');
  if (content?.media && media) {
    const { type } = content.media;
    return { type, [type]: full_text === '' ? media : { ...media, caption: full_text } };
  }
  return { type: 'text', text: { body: full_text, preview_url: /https?:\/\//.test(full_text) } };
}

/** A location, contacts, or a list. */
function buildCard(text: string, { location, contacts, list }: Cards): Body | null {
  if (location) {
    const { latitude, longitude, name, address } = location;
    const labels = { ...(name ? { name } : {}), ...(address ? { address } : {}) };
    return { type: 'location', location: { latitude, longitude, ...labels } };
  }
  if (contacts) return { type: 'contacts', contacts: contacts.map(buildContact) };
  if (!list) return null;
  const rows = list.rows.map(({ text: title, description, value }) => ({
    ...{ id: value, title },
    ...(description ? { description } : {}),
  }));
  const action = { button: list.button, sections: [{ rows }] };
  return { type: 'interactive', interactive: { type: 'list', body: { text }, action } };
}

/** WhatsApp requires a part of the name in addition to the whole name. */
const buildContact = ({ name, phones, emails }: ContactCard): Body => ({
  name: { formatted_name: name, first_name: name },
  ...(phones.length > 0 ? { phones: phones.map(buildPhone) } : {}),
  ...(emails.length > 0 ? { emails: emails.map((email) => ({ email, type: 'WORK' })) } : {}),
});

/** With `wa_id`, WhatsApp offers to message the contact. */
function buildPhone(phone: string): Body {
  const digits = phone.replace(/\D/g, '');
  return { phone, type: 'CELL', ...(phone.startsWith('+') ? { wa_id: digits } : {}) };
}

const buildMedia = ({ type, file_name }: OutgoingMedia, source: MediaPlace): Body =>
  type === 'document' ? { ...source, filename: file_name } : { ...source };

type Template = NonNullable<OutgoingContent['template']>;

function buildTemplate(content: OutgoingContent, template: Template, media: Body | null): Body {
  const { name, language, header_values, body_values } = template;
  const components: Body[] = [];
  const toParameters = (values: readonly string[]) => values.map((text) => ({ type: 'text', text }));
  if (content.media && media) {
    const { type } = content.media;
    components.push({ type: 'header', parameters: [{ type, [type]: media }] });
  } else if (header_values.length > 0) components.push({ type: 'header', parameters: toParameters(header_values) });
  if (body_values.length > 0) components.push({ type: 'body', parameters: toParameters(body_values) });
  components.push(...buildButtons(content, body_values));
  return {
    name,
    language: { code: language, policy: 'deterministic' },
    ...(components.length > 0 ? { components } : {}),
  };
}

function buildButtons({ purpose, buttons }: OutgoingContent, body_values: readonly string[]): Body[] {
  const button = (sub_type: string, index: number, parameter: Body): Body => ({
    type: 'button',
    sub_type,
    index: String(index),
    parameters: [parameter],
  });
  // WhatsApp adds the only button of a one-time code message, which copies the code.
  if (purpose === 'authentication')
    return body_values.slice(0, 1).map((text) => button('url', 0, { type: 'text', text }));
  return buttons.flatMap(({ type, value }, index) =>
    type === 'quick_reply' && value !== '' ? [button('quick_reply', index, { type: 'payload', payload: value })] : [],
  );
}

/** Buttons of a message without a template, sent during a session. */
function buildInteractive(
  text: string,
  { media: file, header, footer, buttons }: OutgoingContent,
  media: Body | null,
): Body {
  if (text === '') throw new Unfit('A message with buttons needs text');
  const top = file && media ? { type: file.type, [file.type]: media } : header ? { type: 'text', text: header } : null;
  const rest = {
    ...(top ? { header: top } : {}),
    body: { text },
    ...(footer ? { footer: { text: footer } } : {}),
  };
  if (buttons.every(({ type }) => type === 'quick_reply')) {
    if (buttons.length > 3) throw new Unfit('A message without a template can have at most three quick replies');
    const replies = buttons.map(({ text: title, value }) => ({
      type: 'reply',
      reply: { id: (value || title).slice(0, MAX_REPLY_ID), title },
    }));
    return { type: 'button', ...rest, action: { buttons: replies } };
  }
  const [link] = buttons;
  if (buttons.length > 1 || link?.type !== 'link')
    throw new Unfit('A message without a template can have quick replies or one link, not both');
  const parameters = { display_text: link.text, url: link.value };
  return { type: 'cta_url', ...rest, action: { name: 'cta_url', parameters } };
}
