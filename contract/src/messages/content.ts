/**
 * What a message carries besides its text. A plain text has no content at all (null); every channel that can carry more reads this one shape, and the
 * log, the inbox, templates and previews show it.
 */
import { z } from 'zod';
import { MEDIA_TYPES } from '../media/rules.ts';

export const MESSAGE_TYPES = ['text', 'image', 'video', 'document'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A quick reply comes back as a message of the person; the other two are calls to action. */
export const BUTTON_TYPES = ['quick_reply', 'link', 'phone_call'] as const;
export const Button = z.object({
  type: z.enum(BUTTON_TYPES),
  text: z.string(),
  /** Address of a link, digits of a phone call; of a quick reply what its answer carries, empty for its text. */
  value: z.string(),
});
export type Button = z.output<typeof Button>;

/**
 * Why it is sent, where the channel asks and charges by it. WhatsApp: a template's category, or `service` within a session. Viber: `session`,
 * `promotional`, `transactional`. SMS has none.
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

/** Of the template a message was made from, what the carrier has to be told. */
export const TemplateUse = z.object({
  id: z.string(),
  name: z.string(),
  /** How the carrier knows it; null where carriers keep no templates. */
  external_id: z.string().nullable(),
  language: z.string(),
  /** In the order of the placeholders, fallbacks filled in. */
  header_values: z.array(z.string()),
  body_values: z.array(z.string()),
  /** Of the same, what each is called; where the carrier asks for values by name. */
  body_names: z.array(z.string()).optional(),
});

export const Content = z.object({
  /** One of our files, or the address of somebody's (`url`); both null when there is none. */
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
  /** Of a message from a person: which button of ours was pressed. */
  pressed: z.object({ text: z.string(), value: z.string() }).nullable(),
  /** Of a message from a person: which of our messages it answers. */
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

/** The type of a message, by what it carries. */
export const typeOf = (content: Pick<Content, 'media_type'> | null): MessageType => content?.media_type ?? 'text';
