/**
 * What a message may be, channel by channel: one reading of all the ways it can be written, for the API, the composer and the gate. Pure; what a
 * template allows, what is in a file and who may be written to now is asked elsewhere.
 */
import { channelRules } from '../channels/index.ts';
import type { ChannelName } from '../common.ts';
import { linkRefusal, type MediaType } from '../media/rules.ts';
import { type ProblemName, problemMessage } from '../problem.ts';
import { buttonFindings } from '../templates/buttons.ts';
import { type Finding, fileNameFindings } from '../templates/rules.ts';
import { BUTTON_TYPES, type Button, type Content, MESSAGE_TYPES, type MessageType, NO_CONTENT } from './content.ts';
import type { ButtonInput, MessageBody } from './messages.ts';

export interface MessageDraft {
  readonly type: MessageType;
  readonly text: string;
  readonly template: string | null;
  readonly variables: readonly (string | null)[] | null;
  readonly media_id: string | null;
  readonly url: string | null;
  /** What people are to see of a document, without its extension. */
  readonly file_name: string | null;
  readonly buttons: readonly Button[];
  readonly purpose: 'promotional' | 'transactional' | null;
}

export interface ReadMessage {
  draft: MessageDraft;
  /** Everything that is wrong; empty when it can be sent as far as can be said here. */
  findings: Finding[];
}

const finding = (code: ProblemName, field: string, message: string = problemMessage(code)): Finding => ({
  code,
  field,
  message,
});

export function readMessage(channel: ChannelName, body: MessageBody): ReadMessage {
  const findings: Finding[] = [];
  const media_id = body.media_id ?? null;
  const url = body.url || null;
  const file_name = body.file_name || body.filename || null;
  const said = body.type?.toLowerCase() ?? '';
  const written = writtenButtons(body);
  const buttons = written.flatMap((button) => buttonOf(button) ?? []);
  if (buttons.length < written.length) findings.push(finding('BUTTONS_NOT_ALLOWED', 'button'));
  const purpose = purposeOf(channel, said, body.purpose, findings);
  const type = (MESSAGE_TYPES as readonly string[]).includes(said) ? (said as MessageType) : 'text';
  const draft: MessageDraft = {
    type,
    text: body.text ?? '',
    template: body.template ?? null,
    variables: body.variables ?? null,
    media_id,
    url,
    file_name,
    buttons,
    purpose,
  };
  if (channel !== 'SMS' && said !== '' && said !== type && said !== 'transactional')
    findings.push(finding('MESSAGE_TYPE_NOT_ALLOWED', 'type'));
  if (channel === 'SMS') findings.push(...smsFindings(draft, said));
  else if (draft.template !== null) findings.push(...templateFindings(draft, channel));
  else findings.push(...freeFindings(draft, channel, said));
  return { draft, findings };
}

function purposeOf(channel: ChannelName, said: string, asked: string | null | undefined, findings: Finding[]) {
  const purpose = (asked || (said === 'transactional' ? said : '')).toLowerCase();
  if (purpose === '') return null;
  if (channel === 'VIBER' && (purpose === 'promotional' || purpose === 'transactional')) return purpose;
  const message =
    channel === 'VIBER' ? 'Purpose must be promotional or transactional' : 'Only Viber asks for a purpose';
  findings.push(
    finding(channel === 'SMS' && said === purpose ? 'SMS_IMAGE_NOT_ALLOWED' : 'VALUE_INVALID', 'purpose', message),
  );
  return null;
}

// Three ways to write a button, and none of them twice.
function writtenButtons(body: MessageBody): ButtonInput[] {
  if (body.buttons && body.buttons.length > 0) return body.buttons;
  if (body.button) return [body.button];
  const { button_type: type, button_text: text, button_value: value } = body;
  return type || text || value ? [{ type, text, value }] : [];
}

function buttonOf(input: ButtonInput): Button | null {
  const text = input.text || input.caption || '';
  const value = input.value || input.url || '';
  const said = input.type?.toLowerCase() ?? '';
  const type =
    said === 'call_to_action' || (said === '' && value !== '')
      ? /^\+?\d+$/.test(value)
        ? 'phone_call'
        : 'link'
      : said === ''
        ? 'quick_reply'
        : BUTTON_TYPES.find((one) => one === said);
  return type ? { type, text, value } : null;
}

function smsFindings({ text, template, media_id, url, buttons }: MessageDraft, said: string): Finding[] {
  const found: Finding[] = [];
  if ((said !== '' && said !== 'text') || media_id !== null || url !== null)
    found.push(finding('SMS_IMAGE_NOT_ALLOWED', 'type'));
  if (buttons.length > 0) found.push(finding('SMS_BUTTON_NOT_ALLOWED', 'button'));
  if (template === null && text === '') found.push(finding('MESSAGE_TEXT_REQUIRED', 'text'));
  if (template !== null && text !== '') found.push(finding('MESSAGE_TEXT_INVALID', 'text', WRITTEN));
  return found;
}

const WRITTEN = 'The text of a template cannot be changed';

/** A template says what is sent; only its file may be another one of the same type. */
function templateFindings(draft: MessageDraft, channel: ChannelName): Finding[] {
  const found: Finding[] = [];
  if (draft.text !== '') found.push(finding('MESSAGE_TEXT_INVALID', 'text', WRITTEN));
  if (draft.buttons.length > 0)
    found.push(
      finding(
        channel === 'WHATSAPP' ? 'WHATSAPP_BUTTON_NOT_ALLOWED' : 'BUTTONS_NOT_ALLOWED',
        'button',
        'The buttons of a template cannot be changed',
      ),
    );
  return found;
}

function freeFindings(draft: MessageDraft, channel: ChannelName, said: string): Finding[] {
  const { type, text, media_id, url } = draft;
  const found: Finding[] = [];
  const carries = media_id !== null || url !== null;
  if (draft.purpose === 'transactional') found.push(finding('TRANSACTIONAL_TEMPLATE_REQUIRED', 'template'));
  if (carries && said === '') return [...found, finding('MESSAGE_TYPE_REQUIRED', 'type')];
  if (type === 'text') {
    if (carries)
      found.push(finding('MESSAGE_TYPE_NOT_ALLOWED', 'type', 'A text carries no file: say image, video or document'));
    if (text.trim() === '') found.push(finding('MESSAGE_TEXT_REQUIRED', 'text'));
  } else found.push(...fileFindings(draft, channel));
  if (draft.buttons.length > 0) found.push(...freeButtonFindings(draft, channel));
  if (channel === 'VIBER' && type === 'image' && text.trim() !== '' && draft.buttons.length === 0)
    found.push(finding('VIBER_BUTTON_REQUIRED', 'button'));
  return found;
}

function fileFindings({ type, text, media_id, url, file_name }: MessageDraft, channel: ChannelName): Finding[] {
  const found: Finding[] = [];
  if (media_id === null && (url === null || (type === 'document' && file_name === null)))
    return [finding(type === 'document' ? 'DOCUMENT_LINK_REQUIRED' : 'MEDIA_LINK_REQUIRED', 'url')];
  if (media_id !== null && url !== null)
    found.push(finding('MEDIA_LINK_INVALID', 'url', 'Give a file or a link, not both'));
  const wrong = media_id === null ? linkRefusal(url!, type as MediaType, channel) : null;
  if (wrong) found.push({ ...wrong, field: 'url' });
  if (type === 'document') {
    if (file_name !== null) found.push(...fileNameFindings(file_name).map((one) => ({ ...one, field: 'file_name' })));
    if (text.trim() !== '') found.push(finding('MESSAGE_TEXT_INVALID', 'text', 'A document carries no text'));
  }
  return found;
}

/** Of a message that no template stands behind. */
function freeButtonFindings(draft: MessageDraft, channel: ChannelName): Finding[] {
  const { type, text, buttons } = draft;
  const rules = channelRules(channel);
  const wrong = (message: string): Finding[] => [
    finding(channel === 'WHATSAPP' ? 'WHATSAPP_BUTTON_NOT_ALLOWED' : 'BUTTONS_NOT_ALLOWED', 'button', message),
  ];
  if (type === 'document') return wrong('A document carries no button');
  const found = buttonFindings({ channel, type, buttons } as Parameters<typeof buttonFindings>[0]);
  if (text.trim() === '' && type !== 'text')
    found.push(finding('MESSAGE_TEXT_REQUIRED', 'text', 'A message with a button needs a text'));
  if (channel !== 'WHATSAPP') return found;
  const kinds = new Set(buttons.map((button) => button.type));
  if (kinds.has('phone_call')) found.push(...wrong('Only a template can have a button that calls'));
  else if (kinds.size > 1) found.push(...wrong('Quick replies and a link cannot stand in one message'));
  else if (kinds.has('link') && buttons.length > 1) found.push(...wrong('A message can have one link'));
  else if (buttons.length > rules.max_buttons)
    found.push(
      finding('BUTTONS_NOT_ALLOWED', 'button', `A message can have at most ${rules.max_buttons} quick replies`),
    );
  return found;
}

/** What a message without a template carries; its file, if it is one of ours, is filled in by whoever has looked at it. */
export const freeContent = ({ type, url, file_name, buttons }: MessageDraft): Content => ({
  ...NO_CONTENT,
  url,
  file_name,
  media_type: type === 'text' ? null : type,
  buttons: [...buttons],
});

/** Viber has no message of a session with a button, nor a picture with words, nor a video. */
export const fitsViberSession = (content: Pick<Content, 'media_type' | 'buttons'>, text: string): boolean =>
  content.buttons.length === 0 &&
  content.media_type !== 'video' &&
  !(content.media_type === 'image' && text.trim() !== '');

/** What a message is for when nothing is asked and no conversation is open: Viber knows a document as a transaction only. */
export const viberPurpose = ({ media_type }: Pick<Content, 'media_type'>): 'promotional' | 'transactional' =>
  media_type === 'document' ? 'transactional' : 'promotional';

/** Texts and files without buttons. */
export const fitsViberTransaction = ({ media_type, buttons }: Pick<Content, 'media_type' | 'buttons'>): boolean =>
  buttons.length === 0 && (media_type === null || media_type === 'document');
