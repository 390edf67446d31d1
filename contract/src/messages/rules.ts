/**
 * Validates messages in all accepted formats, for the API, the composer, and the gate. All functions are pure. Template
 * rules, file contents, and recipients are checked elsewhere.
 */
import type { ChosenPurpose } from '../channels/channel.ts';
import { ALL_CHANNELS, channelRules } from '../channels/index.ts';
import type { ChannelName } from '../channels/names.ts';
import { linkFindings } from '../links/inline.ts';
import { type Finding, finding } from '../templates/draft.ts';
import type { ButtonInput } from './button_input.ts';
import { CARD_TYPES, type Cards, cardType, contactsText, placeText, readCards } from './cards.ts';
import { BUTTON_TYPES, type Button, type Content, MESSAGE_TYPES, NO_CONTENT } from './content.ts';
import type { MessageDraft } from './draft.ts';
import type { MessageBody } from './messages.ts';

export interface ReadMessage {
  draft: MessageDraft;
  /** All problems with the message that can be checked here. */
  findings: Finding[];
  /** True for the type `transactional` of older clients: the template must be one that the carrier stores. */
  is_stored: boolean;
}

export function readMessage(channel: ChannelName, body: MessageBody): ReadMessage {
  const findings: Finding[] = [];
  const type = (body.type || (body.image ? 'image' : '')).toLowerCase();
  const inputs = buttonInputs(body);
  const buttons = inputs.flatMap((button) => readButton(button, channelRules(channel).default_button) ?? []);
  if (buttons.length < inputs.length) findings.push(finding('BUTTONS_NOT_ALLOWED', 'button'));
  const cards = readCards(body);
  const card = cardType(cards);
  const draft: MessageDraft = {
    type: MESSAGE_TYPES.find((one) => one === type) ?? 'text',
    text: cardText(cards) ?? body.text ?? body.caption ?? '',
    template: body.template ?? null,
    variables: body.variables ?? null,
    media_id: body.media_id ?? null,
    url: body.url || body.image || null,
    file_name: body.file_name || body.filename || null,
    buttons,
    reply_to: body.reply_to ?? null,
    cards: card === null ? null : cards,
    purpose: readPurpose(channel, type, body.purpose, findings),
  };
  if (draft.template === null && draft.variables && draft.variables.length > 0)
    findings.push(finding('VARIABLES_TOO_MANY', 'variables', 'Variables need a template'));
  if (draft.reply_to !== null && !channelRules(channel).quotes)
    findings.push(finding('QUOTE_NOT_SUPPORTED', 'reply_to'));
  findings.push(...cardRefusals(channel, draft, type, body.text || body.caption || ''));
  const checkedType = card !== null && type === card ? '' : type;
  findings.push(...channelRules(channel).checkMessage(draft, checkedType), ...linkFindings(draft.text));
  return { draft, findings, is_stored: draft.purpose !== null && type === draft.purpose };
}

/** The text shown for a location or contacts; null for other messages. */
const cardText = ({ location, contacts }: Cards): string | null =>
  location ? placeText(location) : contacts ? contactsText(contacts) : null;

function cardRefusals(channel: ChannelName, draft: MessageDraft, type: string, text: string): Finding[] {
  const card = cardType(draft.cards);
  if (card === null) return CARD_TYPES.some((one) => one === type) ? [finding('CARD_INVALID', type)] : [];
  if (!channelRules(channel).cards.includes(card) || draft.template !== null)
    return [finding('CARD_NOT_SUPPORTED', card)];
  return card !== 'list' && text !== ''
    ? [finding('MESSAGE_TEXT_INVALID', 'text', 'A location and contacts cannot have text')]
    : [];
}

function readPurpose(
  channel: ChannelName,
  type: string,
  given: string | null | undefined,
  findings: Finding[],
): ChosenPurpose | null {
  const purpose = (given || (type === 'transactional' ? type : '')).toLowerCase();
  if (purpose === '') return null;
  const { purposes, rich } = channelRules(channel);
  const chosen = purposes?.choices.find((choice) => choice === purpose);
  if (chosen) return chosen;
  const message = purposes
    ? `Purpose must be ${purposes.choices.join(' or ')}`
    : `A purpose can be chosen only on ${CHANNELS_WITH_PURPOSE}`;
  findings.push(
    !rich && type === purpose
      ? finding('SMS_IMAGE_NOT_ALLOWED', 'purpose', message)
      : finding('VALUE_INVALID', 'purpose', message),
  );
  return null;
}

/** The channels on which users choose a purpose. */
const CHANNELS_WITH_PURPOSE = ALL_CHANNELS.filter(({ purposes }) => purposes)
  .map(({ label }) => label)
  .join(' and ');

// Buttons are accepted in three formats. Only the first format that is present is used.
function buttonInputs(body: MessageBody): ButtonInput[] {
  if (body.buttons && body.buttons.length > 0) return body.buttons;
  if (body.button) return [body.button];
  const { button_type: type, button_text: text, button_value: value } = body;
  return type || text || value ? [{ type, text, value }] : [];
}

function readButton(input: ButtonInput, default_type: Button['type']): Button | null {
  const text = input.text || input.caption || '';
  const value = input.value || input.url || '';
  const given = input.type?.toLowerCase() ?? '';
  const type =
    given === 'call_to_action' || (given === '' && value !== '')
      ? /^\+?\d+$/.test(value)
        ? 'phone_call'
        : 'link'
      : given === ''
        ? default_type
        : BUTTON_TYPES.find((one) => one === given);
  return type ? { type, text, value } : null;
}

/** The content of a message without a template. An uploaded file is added after it is loaded. */
export const freeContent = ({ type, url, file_name, buttons, reply_to, cards }: MessageDraft): Content => ({
  ...NO_CONTENT,
  url,
  file_name,
  media_type: type === 'text' ? null : type,
  buttons: [...buttons],
  answers: reply_to,
  ...(cards?.location ? { location: cards.location } : {}),
  ...(cards?.contacts ? { contacts: [...cards.contacts] } : {}),
  ...(cards?.list ? { list: cards.list } : {}),
});
