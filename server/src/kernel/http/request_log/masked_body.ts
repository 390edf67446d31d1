/**
 * Prepares a body for the request log: secrets and codes are masked, and long values are shortened. The result is valid
 * JSON, so that it can be formatted. The work is limited, however large the body is.
 */
import { URL_SECRET } from '../../log.ts';

/** Masked in every body, in any casing. */
const SECRETS =
  /(^|_)(password|passphrase|passcode|secret|token|otp|pin|authorization|signature)$|^(api|private)_key$/i;
/** The token of a page of a list is not a secret. */
const NOT_SECRET = 'page_token';
/** Texts for recipients. They often contain codes, so numbers with the length of a code are masked in them. */
const TEXTS = new Set(['text', 'variables', 'caption']);
const CODE = /(?<!\d)\d{4,8}(?!\d)/g;
/** Every secret that URL_SECRET finds follows one of these. */
const URL_MARK = /[?&#/]/;
const MASK = '••••';

const MAX_CHARACTERS = 4_000;
const MAX_STRING = 1_000;
const MAX_DEPTH = 12;
const MAX_PATH = 2_000;

interface Work {
  readonly masks: ReadonlySet<string>;
  /** The number of characters that are left. */
  left: number;
  is_masked: boolean;
}

export interface MaskedBody {
  text: string | null;
  is_masked: boolean;
}

export function maskBody(body: unknown, masks: readonly string[] = []): MaskedBody {
  if (body === undefined || body === null) return { text: null, is_masked: false };
  const work: Work = { masks: new Set(masks), left: MAX_CHARACTERS, is_masked: false };
  const text = write(work, body, NO_NAME, false, 0) ?? null;
  return { text, is_masked: work.is_masked };
}

export function maskPath(url: string): { path: string; is_masked: boolean } {
  const path = url.replace(URL_SECRET, `$1${MASK}`).slice(0, MAX_PATH).toWellFormed();
  return { path, is_masked: path !== url };
}

/** The known facts about a field name. */
interface Name {
  readonly text: string;
  /** As JSON, with a colon. */
  readonly json: string;
  readonly isSecret: boolean;
  readonly isText: boolean;
}

const describe = (text: string): Name => ({
  text,
  json: `${JSON.stringify(text.length > MAX_STRING ? text.slice(0, MAX_STRING) : text)}:`,
  isSecret: SECRETS.test(text) && text !== NOT_SECRET,
  isText: TEXTS.has(text),
});

const NO_NAME: Name = { text: '', json: '', isSecret: false, isText: false };

/** The names of fields recur in every request, so each is checked only once. */
const knownNames = new Map<string, Name>();
const MAX_KNOWN_NAMES = 2_000;
const MAX_KNOWN_LENGTH = 50;

function findName(text: string): Name {
  const known = knownNames.get(text);
  if (known !== undefined) return known;
  const name = describe(text);
  if (text.length <= MAX_KNOWN_LENGTH && knownNames.size < MAX_KNOWN_NAMES) knownNames.set(text, name);
  return name;
}

const isSecret = (work: Work, name: Name): boolean =>
  name.isSecret || (work.masks.size > 0 && work.masks.has(name.text));

const MASKED = JSON.stringify(MASK);
const TOO_DEEP = JSON.stringify('…');

/**
 * Returns the value as JSON, or undefined if it has none. The text is built directly, because a masked copy of the
 * value would cost more than everything else about a logged request.
 */
function write(work: Work, value: unknown, name: Name, isText: boolean, depth: number): string | undefined {
  work.left -= name.text.length + 4;
  const type = typeof value;
  if ((type === 'string' || type === 'number') && value !== '' && isSecret(work, name)) return change(work, MASKED);
  const isInText = isText || name.isText;
  if (type === 'string') return JSON.stringify(maskText(work, value as string, isInText));
  if (type !== 'object' || value === null) return JSON.stringify(value);
  if (depth >= MAX_DEPTH) return change(work, TOO_DEEP);
  if (Array.isArray(value)) return writeItems(work, value, name, isInText, depth);
  return writeFields(work, value as Record<string, unknown>, isInText, depth);
}

function change<T>(work: Work, value: T): T {
  work.is_masked = true;
  return value;
}

function maskText(work: Work, text: string, isText: boolean): string {
  const length = Math.max(0, Math.min(MAX_STRING, work.left));
  const short = text.length > length ? `${text.slice(0, length)}…` : text;
  const withoutCodes = isText ? short.replace(CODE, MASK) : short;
  const masked = URL_MARK.test(withoutCodes) ? withoutCodes.replace(URL_SECRET, `$1${MASK}`) : withoutCodes;
  work.left -= masked.length;
  return masked === text ? text : change(work, masked);
}

function writeItems(work: Work, items: unknown[], name: Name, isText: boolean, depth: number): string {
  const itemName = isSecret(work, name) ? name : NO_NAME;
  let text = '';
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ',';
    if (work.left <= 0) {
      text += JSON.stringify(`… ${items.length - index} more`);
      change(work, null);
      break;
    }
    text += write(work, items[index], itemName, isText, depth + 1) ?? 'null';
  }
  return `[${text}]`;
}

function writeFields(work: Work, fields: Record<string, unknown>, isText: boolean, depth: number): string {
  let text = '';
  for (const key in fields) {
    if (work.left <= 0) {
      text += `${text === '' ? '' : ','}"…":"more fields"`;
      change(work, null);
      break;
    }
    const name = findName(key);
    const field = write(work, fields[key], name, isText, depth + 1);
    if (field !== undefined) text += `${text === '' ? '' : ','}${name.json}${field}`;
  }
  return `{${text}}`;
}
