/**
 * The content of a message in addition to its text; null for plain text. All channels with content use this shape, and
 * so do the log, the inbox, templates, and previews.
 */
import { z } from 'zod';
import { MEDIA_TYPES } from '../media/types.ts';
import { type CardType, ChoiceList, ContactCard, cardType, Place } from './cards.ts';

export const MESSAGE_TYPES = ['text', 'image', 'video', 'document'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A quick reply comes back as an inbound message; the other two types are calls to action. */
export const BUTTON_TYPES = ['quick_reply', 'link', 'phone_call'] as const;
export const Button = z.object({
  type: z.enum(BUTTON_TYPES),
  text: z.string(),
  /** The URL of a link, the number of a phone call, or the payload that a quick reply returns (by default its text). */
  value: z.string(),
});
export type Button = z.output<typeof Button>;

/**
 * A message's purpose, on channels that charge by purpose. WhatsApp: the template's category, or `service`
 * within a session. Viber: `session`, `promotional`, `transactional`. SMS has none.
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

/** The categories of WhatsApp messages, as in `wa_category` of templates. */
export const WA_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;

/** The template from which a message was made, in the format that the carrier needs. */
export const TemplateUse = z.object({
  id: z.string(),
  name: z.string(),
  /** The carrier's ID of the template; null if the carrier stores no templates. */
  external_id: z.string().nullable(),
  language: z.string(),
  /** In the order of the placeholders, with fallback values filled in. */
  header_values: z.array(z.string()),
  body_values: z.array(z.string()),
  /** The names of `body_values`, if the carrier takes values by name. */
  body_names: z.array(z.string()).optional(),
});

export const Content = z.object({
  /** An uploaded file (`media_id`) or a link to an external file (`url`); both are null without a file. */
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
  /** For an inbound message: the button that was pressed. */
  pressed: z
    .object({
      text: z.string(),
      value: z.string(),
      /** True if the person chose from a list. */
      from_list: z.literal(true).optional(),
    })
    .nullable(),
  /** The ID of the message that this one replies to. For an inbound message, null if that message is unknown. */
  answers: z.string().nullable(),
  location: Place.nullish(),
  contacts: z.array(ContactCard).nullish(),
  list: ChoiceList.nullish(),
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

/** Returns the type of a message with this content. */
export const contentMessageType = (
  content: Pick<Content, 'media_type' | 'location' | 'contacts' | 'list'> | null,
): MessageType | CardType => content?.media_type ?? cardType(content) ?? 'text';
