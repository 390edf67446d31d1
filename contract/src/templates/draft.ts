/** Template drafts, stored templates, and the limits that all channels share. */
import type { ChannelName } from '../channels/names.ts';
import type { Button, MessageType } from '../messages/content.ts';
import { type ProblemName, problemMessage } from '../problem.ts';

export const MAX_TEMPLATE_NAME = 45;
export const MAX_TEMPLATE_TEXT = 1_000;
export const MAX_DOCUMENT_NAME = 25;
export const MAX_HEADER = 60;
export const MAX_FOOTER = 60;
export const MAX_VARIABLE = 70;
export const MAX_BUTTON_TEXT = 20;

/** A problem in a draft. */
export interface Finding {
  code: ProblemName;
  /** The field of the draft, with the position in a list: `buttons.0.text`, `samples.1`. */
  field: string;
  message: string;
}

export const finding = (code: ProblemName, field: string, message: string = problemMessage(code)): Finding => ({
  code,
  field,
  message,
});

/** A template draft. */
export interface TemplateDraft {
  channel: ChannelName;
  name: string;
  text: string;
  type: MessageType;
  media_id: string | null;
  url: string | null;
  filename: string | null;
  header: string | null;
  footer: string | null;
  buttons: readonly Button[];
  wa_category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION' | null;
  wa_sender_code: string | null;
  samples: readonly string[];
}

/** The fields of a stored template that a message needs. */
export interface FillableTemplate {
  id: string;
  channel: ChannelName;
  name: string;
  text: string;
  type: MessageType;
  media_id: string | null;
  url: string | null;
  filename: string | null;
  header: string | null;
  footer: string | null;
  buttons: readonly Button[];
  wa_category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION' | null;
  language: string;
  external_id: string | null;
  /** The language under which the carrier stores the template, if operators entered its ID. */
  external_language?: string | null;
}
