/**
 * The message of a campaign in addition to its text. A template supplies the text, the buttons, and the file, which
 * another file of the same type can replace. Without a template, the fields are those of a single message.
 */
import { z } from 'zod';
import { Button, MESSAGE_TYPES } from '../messages/content.ts';
import { messageFields } from '../messages/messages.ts';
import { TRIGGERS } from '../messages/triggers.ts';

/** A template's values are texts that can contain a contact's variables, such as `{first_name:friend}`. */
const MAX_VALUE = 200;

export const CampaignContent = z.object({
  type: z.enum(MESSAGE_TYPES),
  media_id: z.string().nullable(),
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  buttons: z.array(Button),
  /** The purpose, on channels where users choose one. */
  purpose: z.enum(['promotional', 'transactional']).nullable(),
  /**
   * The value of each placeholder of the template, starting with those in the header: a fixed text, a field of the
   * contact, or both. An empty value stands for the field with the name of the placeholder.
   */
  variables: z.array(z.string()),
});
export type CampaignContent = z.output<typeof CampaignContent>;

export const NO_CAMPAIGN_CONTENT: CampaignContent = {
  type: 'text',
  media_id: null,
  url: null,
  file_name: null,
  buttons: [],
  purpose: null,
  variables: [],
};

/** A fallback step: the message that is sent on another channel if the message before it is not delivered. */
export const CampaignFallback = z.object({
  channel: z.string(),
  /** The ID of the sender. */
  from: z.string(),
  trigger: z.enum(TRIGGERS),
  wait_seconds: z.int().nullable(),
  text: z.string(),
  template: z.string().nullable(),
  ...CampaignContent.shape,
});
export type CampaignFallback = z.output<typeof CampaignFallback>;

const { type, media_id, url, file_name, button, buttons, purpose } = messageFields;

/** The content fields of a request. `readMessage` reports invalid input. */
export const contentFields = {
  type,
  media_id,
  url,
  file_name,
  button,
  buttons,
  purpose,
  variables: z.array(z.string().max(MAX_VALUE)).max(50).nullish(),
};
const contentInput = z.object(contentFields);
export type CampaignContentInput = z.output<typeof contentInput>;
