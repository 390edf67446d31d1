/**
 * The rules for templates: name, language, category, and components, with a sample for every variable. The errors are
 * those of the real API: code 100 with a subcode and a human-readable text.
 */
import { type GraphError, invalidParameter } from '../graph/graph_error.ts';
import type { MediaStore } from '../media.ts';

export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export type Category = (typeof categories)[number];
export type Part = Record<string, unknown>;
export type ParameterFormat = 'POSITIONAL' | 'NAMED';

const languages = new Set(
  [
    'af sq ar ar_EG ar_AE ar_LB ar_MA ar_QA az be_BY bn bn_IN bg ca zh_CN zh_HK zh_TW hr cs da prs_AF nl nl_BE',
    'en en_GB en_US en_AE en_AU en_CA en_GH en_IE en_IN en_JM en_MY en_NZ en_QA en_SG en_UG en_ZA et fil fi',
    'fr fr_BE fr_CA fr_CH fr_CI fr_MA ka de de_AT de_CH el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt',
    'mk ms ml mr nb ps_AF fa pl pt_BR pt_PT pa ro ru sr si_LK sk sl es es_AR es_CL es_CO es_CR es_DO es_EC es_HN',
    'es_MX es_PA es_PE es_ES es_UY sw sv ta te th tr uk ur uz vi zu hy',
  ].flatMap((line) => line.split(' ')),
);
const headerMimes: Record<string, string[]> = {
  IMAGE: ['image/jpeg', 'image/jpg', 'image/png'],
  VIDEO: ['video/mp4'],
  GIF: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
};
const unsupported = ['CAROUSEL', 'LIMITED_TIME_OFFER', 'CALL_PERMISSION_REQUEST'];

export function refuse(subcode: number, title: string, message: string): GraphError {
  return invalidParameter(message, { subcode, user_title: title, user_message: message });
}

const badPart = (message: string) => refuse(2388043, 'The message template is not valid', message);

/** Returns the variables in a text, in order. Throws if they do not match the format. */
export function parseVariables(text: string, format: ParameterFormat, where: string): string[] {
  const names = [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1]!);
  const rest = text.replace(/\{\{\s*[^{}]*?\s*\}\}/g, '');
  if (/\{\{|\}\}/.test(rest)) throw badPart(`${where} has a variable that is not closed`);
  const unique = [...new Set(names)];
  for (const name of unique) {
    const isValid = format === 'NAMED' ? /^[a-z_][a-z0-9_]*$/.test(name) : /^[1-9]\d*$/.test(name);
    if (!isValid) throw badPart(`${where} has the variable {{${name}}}, which is not ${format.toLowerCase()}`);
  }
  if (format === 'POSITIONAL' && unique.some((name) => Number(name) > unique.length)) {
    throw badPart(`${where} must number its variables from {{1}} without gaps`);
  }
  return format === 'POSITIONAL' ? unique.sort((a, b) => Number(a) - Number(b)) : unique;
}

export function checkName(name: unknown): string {
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    throw refuse(2388047, 'Invalid name', 'name may have lowercase letters, digits, and underscores, at most 512');
  }
  return name;
}

export function checkLanguage(language: unknown): string {
  if (typeof language !== 'string' || !languages.has(language)) {
    throw invalidParameter(`Param language must be a supported language, not '${String(language)}'`);
  }
  return language;
}

export function checkCategory(category: unknown): Category {
  if (!categories.includes(category as Category)) {
    throw invalidParameter(`Param category must be one of {${categories.join(', ')}}`);
  }
  return category as Category;
}

/**
 * Checks the components and returns them as they are stored. WhatsApp writes the text of authentication templates
 * itself.
 */
export function checkParts(
  components: unknown,
  category: Category,
  format: ParameterFormat,
  media: MediaStore,
): Part[] {
  if (!Array.isArray(components) || components.length === 0)
    throw invalidParameter('Param components must be a list of components');
  const parts = components.map((part): Part => {
    if (typeof part !== 'object' || part === null) throw badPart('every component must be an object');
    return { ...part, type: String((part as Part).type ?? '').toUpperCase() };
  });
  for (const [at, { type }] of parts.entries()) {
    if (parts.findIndex((other) => other.type === type) !== at) throw badPart(`only one ${type} is allowed`);
    if (unsupported.includes(String(type))) throw badPart(`${type} is not simulated here`);
    if (!['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(String(type))) throw badPart(`unknown component ${type}`);
  }
  if (!parts.some(({ type }) => type === 'BODY')) throw badPart('a BODY is required');
  if (category === 'AUTHENTICATION') return authenticationParts(parts);
  return parts.map((part) => {
    if (part.type === 'HEADER') checkHeader(part, format, media);
    if (part.type === 'BODY') checkBody(part, format);
    if (part.type === 'FOOTER') checkFooter(part);
    if (part.type === 'BUTTONS') checkButtons(part);
    return part;
  });
}

function requireText(part: Part, field: string, max: number, where: string): string {
  const text = part[field];
  if (typeof text !== 'string' || text.trim() === '') throw badPart(`${where} requires ${field}`);
  if (text.length > max) {
    throw refuse(
      2388040,
      'Field too long',
      `${where}: ${field} may have at most ${max} characters, not ${text.length}`,
    );
  }
  return text;
}

function checkSamples(part: Part, names: string[], format: ParameterFormat, kind: 'header' | 'body'): void {
  if (names.length === 0) return;
  const example = (part.example ?? {}) as Record<string, unknown>;
  const missingSample = () =>
    refuse(2388043, 'Samples are missing', `${kind}: every variable requires a sample in example`);
  if (format === 'NAMED') {
    const list = example[`${kind}_text_named_params`] as { param_name?: unknown; example?: unknown }[] | undefined;
    const samples = new Map(Array.isArray(list) ? list.map((item) => [item?.param_name, item?.example]) : []);
    if (!names.every((name) => typeof samples.get(name) === 'string' && samples.get(name) !== ''))
      throw missingSample();
    return;
  }
  const list = example[`${kind}_text`] as unknown[] | undefined;
  const row = kind === 'body' && Array.isArray(list?.[0]) ? (list[0] as unknown[]) : list;
  const complete =
    Array.isArray(row) && row.length === names.length && row.every((sample) => typeof sample === 'string' && sample);
  if (!complete) throw missingSample();
}

function checkHeader(part: Part, format: ParameterFormat, media: MediaStore): void {
  const kind = String(part.format ?? '').toUpperCase();
  part.format = kind;
  if (kind === 'LOCATION') return;
  if (kind === 'TEXT') {
    const text = requireText(part, 'text', 60, 'the header');
    if (/[\n\r]/.test(text)) throw refuse(2388072, 'Invalid header', 'the header must be one line');
    if (/[*_~`]|\p{Extended_Pictographic}/u.test(text.replace(/\{\{[^}]*\}\}/g, ''))) {
      throw refuse(2388072, 'Invalid header', 'the header may not have emoji, asterisks, or other formatting');
    }
    const names = parseVariables(text, format, 'the header');
    if (names.length > 1) throw badPart('the header may have at most one variable');
    checkSamples(part, names, format, 'header');
    return;
  }
  const mimes = headerMimes[kind];
  if (!mimes) throw badPart(`a header of format ${kind || 'none'} is not simulated here`);
  const handles = (part.example as { header_handle?: unknown } | undefined)?.header_handle;
  const handle = Array.isArray(handles) ? handles[0] : undefined;
  const sample = typeof handle === 'string' ? media.sample(handle) : undefined;
  if (!sample)
    throw refuse(2388273, 'Invalid media sample', 'the header requires the example.header_handle of an uploaded file');
  if (!mimes.includes(sample.mime)) {
    throw refuse(2388273, 'Invalid media sample', `a sample of type ${sample.mime} does not match a ${kind} header`);
  }
}

function checkBody(part: Part, format: ParameterFormat): void {
  const text = requireText(part, 'text', 1024, 'the body');
  if (/\n\s*\n\s*\n/.test(text)) throw badPart('the body may have at most two line breaks in a row');
  const names = parseVariables(text, format, 'the body');
  if (/^\s*\{\{|\}\}\s*$/.test(text)) {
    throw refuse(2388299, 'Variables at the start or end', 'the body may not begin or end with a variable');
  }
  const plain = text
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .split(/\s+/)
    .filter(Boolean).length;
  if (names.length > 0 && plain < names.length * 2) {
    throw refuse(2388293, 'Too many variables', 'the body has too many variables for its length');
  }
  checkSamples(part, names, format, 'body');
}

function checkFooter(part: Part): void {
  const text = requireText(part, 'text', 60, 'the footer');
  if (text.includes('{{')) throw badPart('the footer may not have variables');
}

const buttonLimits: Record<string, number> = { QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 };

function checkButtons(part: Part): void {
  const list = part.buttons;
  if (!Array.isArray(list) || list.length === 0 || list.length > 10) throw badPart('1 to 10 buttons are allowed');
  const buttons = list.map((button: Part): Part => ({ ...button, type: String(button?.type ?? '').toUpperCase() }));
  part.buttons = buttons;
  for (const button of buttons) {
    const type = String(button.type);
    const limit = buttonLimits[type];
    if (limit === undefined) throw badPart(`a button of type ${type || 'none'} is not simulated here`);
    if (buttons.filter((other) => other.type === type).length > limit)
      throw badPart(`at most ${limit} ${type} buttons`);
    checkButton(button, type);
  }
  const titles = buttons.filter(({ type }) => type !== 'COPY_CODE').map(({ text }) => text);
  if (new Set(titles).size < titles.length)
    throw refuse(2388060, 'Duplicate buttons', 'two buttons have the same text');
  // Quick replies must be next to each other, before or after the other buttons.
  const switches = buttons.filter((button, at) => {
    const before = buttons[at - 1];
    return before && (button.type === 'QUICK_REPLY') !== (before.type === 'QUICK_REPLY');
  });
  if (switches.length > 1) throw refuse(2388060, 'Mixed buttons', 'quick replies and other buttons must be grouped');
}

function checkButton(button: Part, type: string): void {
  if (type === 'COPY_CODE') {
    const sample = Array.isArray(button.example) ? button.example[0] : button.example;
    if (typeof sample !== 'string' || sample.length === 0 || sample.length > 15) {
      throw badPart('a COPY_CODE button requires a sample of at most 15 characters in example');
    }
    return;
  }
  const text = requireText(button, 'text', 25, `a ${type} button`);
  if (/\{\{|\n/.test(text)) throw badPart('the text of a button may not have variables or line breaks');
  if (type === 'PHONE_NUMBER' && !/^\+?\d{4,20}$/.test(String(button.phone_number ?? ''))) {
    throw badPart('a PHONE_NUMBER button requires a phone_number of at most 20 digits');
  }
  if (type !== 'URL') return;
  const url = requireText(button, 'url', 2000, 'a URL button');
  if (!/^https?:\/\/[^\s{}]+(\{\{1\}\})?$/.test(url)) {
    throw badPart('the url of a button must be a web address, with at most one variable {{1}} at its end');
  }
  if (!url.endsWith('{{1}}')) return;
  const sample = Array.isArray(button.example) ? button.example[0] : undefined;
  if (typeof sample !== 'string' || sample === '')
    throw badPart('a url with a variable requires example, a list with one sample');
}

function authenticationParts(parts: Part[]): Part[] {
  const buttons = parts.find(({ type }) => type === 'BUTTONS')?.buttons;
  const button = Array.isArray(buttons) ? (buttons[0] as Part | undefined) : undefined;
  if (!button || (buttons as unknown[]).length !== 1 || String(button.type).toUpperCase() !== 'OTP') {
    throw badPart('an authentication template must have exactly one button of type OTP');
  }
  const otp_type = String(button.otp_type ?? '').toUpperCase();
  if (!['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(otp_type))
    throw badPart('otp_type must be COPY_CODE, ONE_TAP or ZERO_TAP');
  return parts.map((part) => {
    if (part.type === 'HEADER') throw badPart('an authentication template may not have a header');
    if (part.type === 'BODY') {
      if (part.text !== undefined) throw badPart('the body of an authentication template may not have a text');
      const advice = part.add_security_recommendation === true ? ' For your security, do not share this code.' : '';
      const text = `*{{1}}* is your verification code.${advice}`;
      return { ...part, text, example: { body_text: [['123456']] } };
    }
    if (part.type === 'FOOTER') {
      const minutes = part.code_expiration_minutes;
      if (typeof minutes !== 'number' || !(minutes >= 1 && minutes <= 90)) {
        throw badPart('code_expiration_minutes must be from 1 to 90');
      }
      return { ...part, text: `This code expires in ${minutes} minutes.` };
    }
    const text = typeof button.text === 'string' && button.text ? button.text : 'Copy code';
    const url = `https://www.whatsapp.com/otp/code/?otp_type=${otp_type}&code=otp{{1}}`;
    return { type: 'BUTTONS', buttons: [{ type: 'URL', text, url, example: [url.replace('{{1}}', '123456')] }] };
  });
}
