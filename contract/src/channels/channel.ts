/**
 * The rules of a channel, as data and pure functions that the gate, pricing, forms, composers, and previews use. The
 * channel's adapter is in the server; its composer and preview are in the web app.
 */
import type { MediaRule } from '../media/rules.ts';
import type { MediaType } from '../media/types.ts';
import type { CardType } from '../messages/cards.ts';
import type { Button, Content, MessageType, Purpose } from '../messages/content.ts';
import type { MessageDraft } from '../messages/draft.ts';
import type { ProblemName } from '../problem.ts';
import type { FillableTemplate, Finding, TemplateDraft } from '../templates/draft.ts';
import type { AccessKind } from './access_kinds.ts';
import type { ChannelName } from './names.ts';
import type { VerificationRules } from './verification.ts';

export interface ChannelRules {
  readonly name: ChannelName;
  readonly label: string;
  readonly types: readonly MessageType[];
  /** The cards that messages can have. */
  readonly cards: readonly CardType[];
  readonly max_text: number;
  readonly max_buttons: number;
  readonly button_text: number;
  /** The type of a button without a type and a value. */
  readonly default_button: Button['type'];
  /** True if messages can have more than text: a file, buttons, or a header. On other channels `content` is null. */
  readonly rich: boolean;
  /** The kind of sender: numbers and names that are ordered here, or businesses that request access. */
  readonly senders: 'numbers' | 'business';
  /** True if each business sender has its own phone number, which no other account uses. */
  readonly own_number: boolean;
  /** The form for requesting access; null if no request is needed. */
  readonly access: AccessKind | null;
  /** True if the channel delivers verification codes, so it can verify phone numbers. */
  readonly codes: boolean;
  /** The unit of the price: segments, or whole messages. */
  readonly counts: 'segments' | 'messages';
  /** When a message's hold is settled: when the carrier accepts it, or when it is delivered. */
  readonly charged_at: 'sent' | 'delivered';
  /**
   * How the connection for a message is chosen: by routes for the number, or by the sender, which exists at only one
   * carrier.
   */
  readonly carried_by: 'routes' | 'sender';
  readonly session: SessionRules | null;
  /** True if senders have a profile at the carrier, which can change at any time. */
  readonly profile: boolean;
  /** True if recipients may have an address that is not a phone number. */
  readonly other_addresses: boolean;
  /** True if the carrier sends read receipts. */
  readonly reads: boolean;
  /** True if a message can quote an earlier one, and if messages can get reactions. */
  readonly quotes: boolean;
  readonly reactions: boolean;
  /** Limits for each type of file; null if the channel adds none. */
  readonly media: Readonly<Record<MediaType, MediaRule>> | null;
  /** Purposes that users can choose for a message; null if there are none. */
  readonly purposes: PurposeRules | null;
  readonly templates: TemplateRules;
  /** The rules for customers' verification codes. */
  readonly verification: VerificationRules;
  /**
   * Finds everything wrong with a message except its purpose. `type` is the requested type in lower case, empty if
   * missing.
   */
  checkMessage(draft: MessageDraft, type: string): Finding[];
  /** Finds everything wrong with a template, in addition to the general rules for names. */
  checkTemplate(draft: TemplateDraft): Finding[];
}

/** An inbound message opens a session. On channels without sessions, messages can be sent at any time. */
export interface SessionRules {
  readonly hours: number;
  /** True if each additional inbound message restarts the period. */
  readonly renewed: boolean;
  /** The messages that can be sent outside a session. */
  readonly outside: 'templates' | 'promotional';
  /** The number of messages without a reply after which the session ends early; null means no limit. */
  readonly in_a_row: number | null;
  /** The maximum number of messages in one session; null means no limit. */
  readonly in_session: number | null;
}

export type ChosenPurpose = 'promotional' | 'transactional';

/** Purposes that users can choose. If none is chosen, the open session or the content decides. */
export interface PurposeRules {
  readonly choices: readonly ChosenPurpose[];
  /** The purpose of a message outside a session if none was chosen. */
  outside(content: Pick<Content, 'media_type'>): ChosenPurpose;
  /** Whether a message can be part of a session. */
  fitsSession(content: Pick<Content, 'media_type' | 'buttons'>, text: string): boolean;
  /** The reason why a message cannot be sent for the chosen purpose; null if it can. */
  refusal(purpose: ChosenPurpose, content: Pick<Content, 'media_type' | 'buttons'>): string | null;
}

/** Template fields that only some channels have. */
export type OptionalTemplateField = 'header' | 'footer' | 'wa_category' | 'wa_sender_code' | 'samples';

export interface TemplateRules {
  /** The reviewer who approves a template before it can be sent: no one, the operators, or the carrier. */
  readonly review: 'none' | 'operator' | 'carrier';
  readonly fields: readonly OptionalTemplateField[];
  /** An additional rule for names; null if only the general rules apply. */
  readonly name: { readonly pattern: RegExp; readonly rule: string } | null;
  /** `required`: every placeholder needs a value, on one line and of limited length. */
  readonly values: 'required' | 'optional';
  /** True if the carrier receives the name of each placeholder with its value. */
  readonly named_values: boolean;
  /** The fixed text of a template, if the channel provides it; null if the author writes the text. */
  fixedText(template: Pick<FillableTemplate, 'wa_category'>): string | null;
  /** Whether a template of this type is a file without text and buttons. */
  isFileOnly(type: MessageType): boolean;
  /** The reason why a value is not allowed in a placeholder of this template; null if it is. */
  refuseValue(template: Pick<FillableTemplate, 'wa_category'>, value: string): string | null;
  /**
   * Why a message cannot be sent as a template that the carrier stores, with these values for the text; null if it can.
   * Only some channels have such templates.
   */
  refuseStored?(
    template: Pick<FillableTemplate, 'type' | 'text' | 'external_id' | 'external_language'>,
    values: readonly string[],
  ): ProblemName | null;
  /** The problem of a message with an image for a template without a file, if it has its own problem. */
  readonly surplus_image?: ProblemName;
  /** The purpose of a message made from this template; null if the channel decides otherwise. */
  purpose(template: Pick<FillableTemplate, 'wa_category'>): Purpose | null;
}
