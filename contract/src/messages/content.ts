/**
 * What a message carries beside its text. A plain text has no content (null). All channels that can carry more use this
 * one shape, and so do the log, the inbox, templates and previews.
 */
import { z } from 'zod';
import { MEDIA_TYPES } from '../media/rules.ts';

export const MESSAGE_TYPES = ['text', 'image', 'video', 'document'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A quick reply comes back as an inbound message; the other two are calls to action. */
export const BUTTON_TYPES = ['quick_reply', 'link', 'phone_call'] as const;
export const Button = z.object({
  type: z.enum(BUTTON_TYPES),
  text: z.string(),
  /**
   * The address of a link, or the digits of a phone call. Of a quick reply, what comes back with it; empty for its
   * text.
   */
  value: z.string(),
});
export type Button = z.output<typeof Button>;

/**
 * Why a message is sent, where the channel charges by it. WhatsApp: a template's category, or `service` within a
 * session. Viber: `session`, `promotional`, `transactional`. SMS has none.
 */
export const PURPOSES = [
  'marketing',
  'utility',
  'authentication',
  'service',
  'session',
  'promotional',
  'transactional',
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** What the carrier needs to know of the template a message was made from. */
export const TemplateUse = z.object({
  id: z.string(),
  name: z.string(),
  /** The carrier's id; null where carriers store no templates. */
  external_id: z.string().nullable(),
  language: z.string(),
  /** In the order of the placeholders, fallbacks filled in. */
  header_values: z.array(z.string()),
  body_values: z.array(z.string()),
  /** The name of each of `body_values`, where the carrier takes values by name. */
  body_names: z.array(z.string()).optional(),
});

export const Content = z.object({
  /** A file of ours, or a link (`url`) to somebody else's; both null when there is none. */
  media_id: z.string().nullable(),
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  media_type: z.enum(MEDIA_TYPES).nullable(),
  content_type: z.string().nullable(),
  header: z.string().nullable(),
  footer: z.string().nullable(),
  buttons: z.array(Button),
  template: TemplateUse.nullable(),
  purpose: z.enum(PURPOSES).nullable(),
  /** Of an inbound message: which of our buttons was pressed. */
  pressed: z.object({ text: z.string(), value: z.string() }).nullable(),
  /** Of an inbound message: which of our messages it replies to. */
  answers: z.string().nullable(),
});
export type Content = z.output<typeof Content>;

export const NO_CONTENT: Content = {
  media_id: null,
  url: null,
  file_name: null,
  media_type: null,
  content_type: null,
  header: null,
  footer: null,
  buttons: [],
  template: null,
  purpose: null,
  pressed: null,
  answers: null,
};

/** The type of a message, by its content. */
export const typeOf = (content: Pick<Content, 'media_type'> | null): MessageType => content?.media_type ?? 'text';
