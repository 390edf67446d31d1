/**
 * What a channel is: everything the gate, prices, forms, composers and previews need to know about it, as data and
 * small pure functions. Its adapter is in the server, its composer and preview are in the web app.
 */
import type { MediaRule, MediaType } from '../media/rules.ts';
import type { Content, MessageType, Purpose } from '../messages/content.ts';
import type { MessageDraft } from '../messages/draft.ts';
import type { FillableTemplate, Finding, TemplateDraft } from '../templates/draft.ts';
import type { AccessKind } from './access_kinds.ts';
import type { ChannelName } from './names.ts';

export interface ChannelRules {
  readonly name: ChannelName;
  readonly label: string;
  readonly types: readonly MessageType[];
  readonly max_text: number;
  readonly max_buttons: number;
  readonly button_text: number;
  /** A message can carry more than its text: a file, buttons, a header. Messages of other channels have no content. */
  readonly rich: boolean;
  /** What senders are: phone numbers and names that are ordered here, or businesses that apply for access. */
  readonly senders: 'numbers' | 'business';
  /** A business is known by a phone number of its own, on no other account. */
  readonly own_number: boolean;
  /** The form a business applies with; null where no application is needed. */
  readonly access: AccessKind | null;
  /** The recipients' numbers can be verified: the channel carries verification codes. */
  readonly codes: boolean;
  /** What the price counts: parts of a text, or whole messages. */
  readonly counts: 'segments' | 'messages';
  /** When the hold of a message is settled: once the carrier accepts it, or once it is delivered. */
  readonly charged_at: 'sent' | 'delivered';
  /**
   * What selects the connection of a message: the routes, by number, or its sender, which is known to one carrier
   * only.
   */
  readonly carried_by: 'routes' | 'sender';
  readonly session: SessionRules | null;
  /** Senders of this channel have a profile at the carrier that can change at any time. */
  readonly profile: boolean;
  /** People have an address on this channel that need not be a phone number. */
  readonly other_addresses: boolean;
  /** The carrier reports that a message was read. */
  readonly reads: boolean;
  /** What each type of file may be; null where any file that the platform takes is accepted. */
  readonly media: Readonly<Record<MediaType, MediaRule>> | null;
  /** How senders choose a purpose for a message; null where they do not. */
  readonly purposes: PurposeRules | null;
  readonly templates: TemplateRules;
  /** Everything wrong with a message, beside its purpose. `type` is as it was given: lower case, empty when missing. */
  checkMessage(draft: MessageDraft, type: string): Finding[];
  /** Everything wrong with a template, beside what is wrong with any name. */
  checkTemplate(draft: TemplateDraft): Finding[];
}

/** A message from a person opens a session. Where a channel has none, anybody can be written to at any time. */
export interface SessionRules {
  readonly hours: number;
  /** Each further message from the person restarts the hours. */
  readonly renewed: boolean;
  /** What can be sent outside a session. */
  readonly outside: 'templates' | 'promotional';
  /** After so many messages without a reply the session ends early; null: no limit. */
  readonly in_a_row: number | null;
  /** The limit of one session; null: no limit. */
  readonly in_session: number | null;
}

export type ChosenPurpose = 'promotional' | 'transactional';

/** Purposes that a sender can choose. Without a choice the open session, or else the content, decides. */
export interface PurposeRules {
  readonly choices: readonly ChosenPurpose[];
  /** The purpose of a message outside a session when none was chosen. */
  outside(content: Pick<Content, 'media_type'>): ChosenPurpose;
  /** Whether a message can be part of a session. */
  fitsSession(content: Pick<Content, 'media_type' | 'buttons'>, text: string): boolean;
  /** Why a message cannot be sent for the chosen purpose; null when it can. */
  refusal(purpose: ChosenPurpose, content: Pick<Content, 'media_type' | 'buttons'>): string | null;
}

/** Fields of a template that only some channels have. */
export type OptionalTemplateField = 'header' | 'footer' | 'wa_category' | 'wa_sender_code' | 'samples';

export interface TemplateRules {
  /** Who approves a template before it can be sent: no one, our operators, or the carrier. */
  readonly review: 'none' | 'operator' | 'carrier';
  readonly fields: readonly OptionalTemplateField[];
  /** What a name has to match beside the rules of all names; null: nothing more. */
  readonly name: { readonly pattern: RegExp; readonly rule: string } | null;
  /** Which placeholders get a value: all of them, or only the fields of a contact. Others are sent as written. */
  readonly placeholders: 'any' | 'contact';
  /** `required`: every placeholder needs a value, in one line and of limited length. */
  readonly values: 'required' | 'optional';
  /** The carrier receives the name of each placeholder with its value. */
  readonly named_values: boolean;
  /** The text of a template that the channel writes; null when its author writes it. Nothing can be added to it. */
  fixedText(template: Pick<FillableTemplate, 'wa_category'>): string | null;
  /** Whether a template of this type is a file without text and buttons. */
  isFileOnly(type: MessageType): boolean;
  /** Why a value cannot stand in a placeholder of this template; null when it can. */
  refuseValue(template: Pick<FillableTemplate, 'wa_category'>, value: string): string | null;
  /** What a message made from this template is sent for; null where the channel decides otherwise. */
  purpose(template: Pick<FillableTemplate, 'wa_category'>): Purpose | null;
}
