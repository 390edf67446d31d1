/**
 * What a template may be, channel by channel, and how it is filled: one reading for the form, the API, the gate and the carrier. Pure. `templateFindings`
 * says everything that is wrong at once, in the words people read; an empty list means that it can be saved and sent for review.
 */
import { tagsIn, VARIABLES, type VariableTag } from '../channels/sms/text.ts';
import type { ChannelName } from '../common.ts';
import { attachmentRefusal, linkRefusal, MAX_TEMPLATE_LINK } from '../media/rules.ts';
import type { Button, Content, MessageType } from '../messages/content.ts';
import { type ProblemName, problemMessage } from '../problem.ts';
import { buttonFindings } from './buttons.ts';

export interface Finding {
  code: ProblemName;
  /** Of the draft; one of a list has its place in it: `buttons.0.text`, `samples.1`. */
  field: string;
  message: string;
}

/** A template as somebody is writing it. */
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

export const MAX_TEMPLATE_NAME = 45;
export const MAX_TEMPLATE_TEXT = 1_000;
export const MAX_DOCUMENT_NAME = 25;
export const MAX_HEADER = 60;
export const MAX_FOOTER = 60;
export const MAX_VARIABLE = 70;
/** The placeholder of a one-time code. */
export const CODE_TAG = 'code';

export interface Placeholder {
  name: string;
  /** As written, braces included, and where. */
  tag: string;
  index: number;
  /** What stands there when nobody gives a value; null when nothing is said. */
  fallback: string | null;
}

const placeholder = ({ name, tag, index, fallback }: VariableTag): Placeholder => ({
  name,
  tag,
  index,
  fallback: tag.includes(':') ? fallback : null,
});

/** Every `{tag}` and `{tag:fallback}` in the order written; one that is written twice is two. */
export const placeholdersOf = (text: string): Placeholder[] => tagsIn(text).map(placeholder);

/** What values are given for, in their order: header first. SMS fills only the tags it knows and sends the others as they stand. */
export function placeholdersOfTemplate(template: Pick<TemplateDraft, 'channel' | 'header' | 'text'>): Placeholder[] {
  const all = [...placeholdersOf(template.header ?? ''), ...placeholdersOf(template.text)];
  return template.channel === 'SMS' ? all.filter(({ name }) => isKnownTag(name)) : all;
}

export const isKnownTag = (name: string): boolean => (VARIABLES as readonly string[]).includes(name);

export function templateFindings(draft: TemplateDraft): Finding[] {
  const found = nameFindings(draft);
  if (draft.channel === 'SMS') found.push(...smsFindings(draft));
  else {
    found.push(...mediaFindings(draft), ...textFindings(draft), ...buttonFindings(draft));
    if (draft.channel === 'WHATSAPP') found.push(...whatsappFindings(draft));
    else found.push(...viberFindings(draft));
  }
  return found;
}

const finding = (code: ProblemName, field: string, message: string = problemMessage(code)): Finding => ({
  code,
  field,
  message,
});

function nameFindings({ channel, name }: TemplateDraft): Finding[] {
  const text = name.trim();
  if (text === '') return [finding('TEMPLATE_NAME_REQUIRED', 'name', 'Template name is required!')];
  if (text.length > MAX_TEMPLATE_NAME)
    return [finding('TEMPLATE_NAME_TOO_LONG', 'name', problemMessage('NAME_TOO_LONG'))];
  if (channel === 'WHATSAPP' && !/^[a-z0-9_]+$/.test(text))
    return [finding('TEMPLATE_NAME_INVALID', 'name', 'Only lowercase letters, numbers, and (_) are allowed')];
  // A name is read in lists and in addresses: control characters and marks that turn the writing around are no part of it, and something must be seen.
  const wrong = /[\p{Cc}\p{Bidi_Control}]/u.test(text) || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
  return wrong ? [finding('TEMPLATE_NAME_INVALID', 'name')] : [];
}

function smsFindings(draft: TemplateDraft): Finding[] {
  const found: Finding[] = [];
  if (draft.type !== 'text') found.push(finding('SMS_IMAGE_NOT_ALLOWED', 'type'));
  if (draft.buttons.length > 0) found.push(finding('SMS_BUTTON_NOT_ALLOWED', 'button'));
  if (draft.text.trim() === '') found.push(finding('TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!'));
  else if (draft.text.length > MAX_TEMPLATE_TEXT) found.push(finding('TEMPLATE_TEXT_TOO_LONG', 'text'));
  return found;
}

function mediaFindings({ channel, type, media_id, url, filename }: TemplateDraft): Finding[] {
  if (type === 'text') return [];
  const found: Finding[] = [];
  const nothing = attachmentRefusal(type, { media_id, url });
  if (nothing) found.push({ ...nothing, field: 'url' });
  else if (!media_id) {
    const wrong = linkRefusal(url ?? '', type, channel, MAX_TEMPLATE_LINK);
    if (wrong) found.push({ ...wrong, field: 'url' });
  }
  if (type === 'document') found.push(...fileNameFindings(filename ?? ''));
  return found;
}

export function fileNameFindings(filename: string): Finding[] {
  const name = filename.trim();
  if (name === '') return [finding('DOCUMENT_NAME_REQUIRED', 'filename', 'Document name is required!')];
  if (name.length > MAX_DOCUMENT_NAME) return [finding('DOCUMENT_NAME_TOO_LONG', 'filename')];
  return /^\w+$/.test(name) ? [] : [finding('DOCUMENT_NAME_INVALID', 'filename')];
}

function textFindings({ channel, type, text }: TemplateDraft): Finding[] {
  // A picture needs no words on Viber; WhatsApp approves no template without.
  if (text.trim() === '')
    return type === 'text' || channel === 'WHATSAPP'
      ? [finding('TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!')]
      : [];
  if (text.length > MAX_TEMPLATE_TEXT) return [finding('TEMPLATE_TEXT_TOO_LONG', 'text')];
  if (text.includes('{{') || text.includes('}}'))
    return [
      finding('TEMPLATE_TEXT_INVALID', 'text', 'Placeholders are written in single braces, such as {first_name}'),
    ];
  if (placeholdersOf(text).some(({ name }) => name === 'sms_opt_out'))
    return [finding('TEMPLATE_TEXT_INVALID', 'text', '{sms_opt_out} works in SMS only')];
  return [];
}

function viberFindings({ type, text, buttons }: TemplateDraft): Finding[] {
  const said = text.trim() !== '';
  if (type === 'document' && said)
    return [finding('TEMPLATE_TEXT_INVALID', 'text', 'A document on Viber carries no text')];
  if (type === 'image' && said && buttons.length === 0) return [finding('VIBER_BUTTON_REQUIRED', 'button_text')];
  if ((type === 'image' || type === 'video') && !said && buttons.length > 0)
    return [finding('TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!')];
  return [];
}

function whatsappFindings(draft: TemplateDraft): Finding[] {
  const found: Finding[] = [];
  if (!draft.wa_sender_code?.trim()) found.push(finding('TEMPLATE_SENDER_REQUIRED', 'wa_sender_code'));
  if (!draft.wa_category) found.push(finding('VALUE_INVALID', 'wa_category', 'Category is required!'));
  if (draft.wa_category === 'AUTHENTICATION') found.push(...authenticationFindings(draft));
  else found.push(...edgeFindings(draft.text));
  found.push(...lineFindings(draft));
  placeholdersOfTemplate(draft).forEach(({ name }, at) => {
    const sample = draft.samples[at]?.trim() ?? '';
    if (sample === '') found.push(finding('VALUE_INVALID', `samples.${at}`, `An example of {${name}} is required!`));
    else if (sample.length > MAX_VARIABLE) found.push(finding('VARIABLE_TOO_LONG', `samples.${at}`));
    else if (draft.wa_category === 'AUTHENTICATION' && name === CODE_TAG && !isCode(sample))
      found.push(finding('VARIABLE_TOO_LONG', `samples.${at}`, CODE_WRONG));
  });
  return found;
}

/** WhatsApp reads these as formless: a value at the very start or end of a text, or two without a word between them. */
function edgeFindings(text: string): Finding[] {
  const body = text.trim();
  const tags = placeholdersOf(body);
  const first = tags[0];
  const last = tags.at(-1);
  if (!first || !last) return [];
  if (first.index === 0) return [finding('TEMPLATE_TEXT_INVALID', 'text', 'The text cannot begin with a placeholder')];
  if (last.index + last.tag.length === body.length)
    return [finding('TEMPLATE_TEXT_INVALID', 'text', 'The text cannot end with a placeholder')];
  const touching = tags.some((tag, at) => {
    const before = tags[at - 1];
    return before && body.slice(before.index + before.tag.length, tag.index).trim() === '';
  });
  return touching ? [finding('TEMPLATE_TEXT_INVALID', 'text', 'Two placeholders need words between them')] : [];
}

/** The line above the text and the line below it. */
function lineFindings({ type, header, footer, wa_category }: TemplateDraft): Finding[] {
  const found: Finding[] = [];
  if (header) {
    if (type !== 'text')
      found.push(finding('TEMPLATE_TEXT_INVALID', 'header', 'A template has a header or a file, not both'));
    else if (header.length > MAX_HEADER)
      found.push(finding('TEMPLATE_TEXT_INVALID', 'header', `Header can have at most ${MAX_HEADER} characters`));
    else if (placeholdersOf(header).length > 1)
      found.push(finding('TEMPLATE_TEXT_INVALID', 'header', 'A header can have one placeholder'));
    else if (/[\n\r]/.test(header)) found.push(finding('TEMPLATE_TEXT_INVALID', 'header', 'A header is one line'));
  }
  if (footer && wa_category !== 'AUTHENTICATION') {
    if (footer.length > MAX_FOOTER)
      found.push(finding('TEMPLATE_TEXT_INVALID', 'footer', `Footer can have at most ${MAX_FOOTER} characters`));
    else if (placeholdersOf(footer).length > 0)
      found.push(finding('TEMPLATE_TEXT_INVALID', 'footer', 'A footer has no placeholders'));
  }
  return found;
}

/** What people read, in the language of the template: WhatsApp writes it, and takes no other. */
export const AUTHENTICATION_TEXT = `{${CODE_TAG}} is your verification code. For your security, do not share this code.`;
const MAX_CODE = 15;
const CODE_WRONG = `A code has at most ${MAX_CODE} characters and no spaces`;
const isCode = (value: string): boolean => value.length <= MAX_CODE && !/\s/.test(value);

/** A one-time code and WhatsApp's words around it, nothing else: no file, header, footer, link or button. */
function authenticationFindings({ type, text, header, footer, buttons }: TemplateDraft): Finding[] {
  const found: Finding[] = [];
  const no = (field: string, what: string) =>
    found.push(finding('TEMPLATE_TEXT_INVALID', field, `An authentication template has no ${what}`));
  if (text.trim() !== '' && text.trim() !== AUTHENTICATION_TEXT)
    found.push(finding('TEMPLATE_TEXT_INVALID', 'text', `WhatsApp writes this text itself: “${AUTHENTICATION_TEXT}”`));
  if (type !== 'text') no('type', 'file');
  if (header) no('header', 'header');
  if (footer) no('footer', 'footer');
  if (buttons.length > 0) no('button', 'buttons of its own: WhatsApp adds one that copies the code');
  return found;
}

/** Of a stored template, what a message needs. */
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
}

/** In the order of the placeholders (header first), or by tag. Null is not a value. */
export type TemplateValues = readonly (string | null)[] | Readonly<Record<string, string | null | undefined>>;

export interface Filled {
  /** As the person reads it. */
  text: string;
  /** Null for SMS: a text and nothing else. Viber's purpose is the gate's to say. */
  content: Content | null;
  /** Empty when it may be sent. */
  findings: Finding[];
}

export function fillTemplate(template: FillableTemplate, values: TemplateValues): Filled {
  const { channel } = template;
  const found: Finding[] = [];
  const taken = placeholdersOfTemplate(template).map((place, at) => {
    const { value, code } = isList(values)
      ? listedValue(channel, place, values[at])
      : personalValue(channel, place, values[place.name]);
    if (code && !found.some((other) => other.code === code)) found.push(finding(code, 'variables'));
    else if (template.wa_category === 'AUTHENTICATION' && !isCode(value))
      found.push(finding('VARIABLE_TOO_LONG', 'variables', CODE_WRONG));
    return value;
  });
  const inHeader = channel === 'SMS' ? 0 : placeholdersOf(template.header ?? '').length;
  const header_values = taken.slice(0, inHeader);
  const body_values = taken.slice(inHeader);
  const text = written(channel, template.text, body_values);
  const content = channel === 'SMS' ? null : contentOf(template, header_values, body_values);
  return { text, content, findings: found };
}

const isList = (values: TemplateValues): values is readonly (string | null)[] => Array.isArray(values);
// WhatsApp takes one line of words as a value.
const tidy = (channel: ChannelName, value: string) =>
  channel === 'WHATSAPP' ? value.replace(/\s+/g, ' ').trim() : value;

/** Given in a list: each must be there, or have a fallback. */
function listedValue(
  channel: ChannelName,
  { fallback }: Placeholder,
  given: string | null | undefined,
): { value: string; code?: ProblemName } {
  if (given === null) return { value: '', code: 'VARIABLES_NULL' };
  const value = tidy(channel, given ?? '');
  if (value.length > MAX_VARIABLE) return { value, code: 'VARIABLE_TOO_LONG' };
  if (value.trim() !== '') return { value };
  if (fallback !== null && (fallback.trim() !== '' || channel !== 'WHATSAPP')) return { value: fallback };
  return given === undefined || channel === 'WHATSAPP' ? { value: '', code: 'VARIABLES_REQUIRED' } : { value };
}

/** Of a person, by tag: nothing is known of many, and a place stays empty then, but where WhatsApp wants a word in it. */
function personalValue(
  channel: ChannelName,
  { fallback }: Placeholder,
  given: string | null | undefined,
): { value: string; code?: ProblemName } {
  const value = tidy(channel, given ?? '');
  const filled = value.trim() === '' ? (fallback ?? '') : value;
  if (channel !== 'WHATSAPP') return { value: filled };
  if (filled.trim() === '') return { value: '', code: 'VARIABLES_REQUIRED' };
  return filled.length > MAX_VARIABLE ? { value: filled, code: 'VARIABLE_TOO_LONG' } : { value: filled };
}

/** One pass: a value that looks like a tag is not read again. */
function written(channel: ChannelName, text: string, values: readonly string[]): string {
  let out = '';
  let from = 0;
  let at = 0;
  for (const { name, tag, index } of placeholdersOf(text)) {
    if (channel === 'SMS' && !isKnownTag(name)) continue;
    out += text.slice(from, index) + values[at++]!;
    from = index + tag.length;
  }
  return out + text.slice(from);
}

function contentOf(template: FillableTemplate, header_values: string[], body_values: string[]): Content {
  return {
    media_id: template.media_id,
    url: template.url,
    file_name: template.filename,
    media_type: template.type === 'text' ? null : template.type,
    content_type: null,
    header: template.header && written(template.channel, template.header, header_values),
    footer: template.footer,
    buttons: [...template.buttons],
    template: {
      id: template.id,
      name: template.name,
      external_id: template.external_id,
      language: template.language,
      header_values,
      body_values,
      ...(template.channel === 'VIBER' ? { body_names: placeholdersOf(template.text).map(({ name }) => name) } : {}),
    },
    purpose: template.wa_category ? PURPOSE[template.wa_category] : null,
    pressed: null,
    answers: null,
  };
}

const PURPOSE = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' } as const;
