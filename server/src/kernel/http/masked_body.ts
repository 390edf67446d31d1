/**
 * Prepares a body for the request log: secrets and codes are masked, and long values are shortened. The result is valid
 * JSON, so that it can be formatted. The work is limited, however large the body is.
 */
import { URL_SECRET } from '../log.ts';

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
  const value = copy(work, body, '', false, 0);
  return { text: JSON.stringify(value), is_masked: work.is_masked };
}

export function maskPath(url: string): { path: string; is_masked: boolean } {
  const path = url.replace(URL_SECRET, `$1${MASK}`).slice(0, MAX_PATH).toWellFormed();
  return { path, is_masked: path !== url };
}

function copy(work: Work, value: unknown, name: string, isText: boolean, depth: number): unknown {
  work.left -= name.length + 4;
  if (isSecret(work, name) && (typeof value === 'string' || typeof value === 'number') && value !== '')
    return change(work, MASK);
  const isInText = isText || TEXTS.has(name);
  if (typeof value === 'string') return copyText(work, value, isInText);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return change(work, '…');
  if (Array.isArray(value)) return copyItems(work, value, name, isInText, depth);
  return copyFields(work, value as Record<string, unknown>, isInText, depth);
}

const isSecret = (work: Work, name: string): boolean => work.masks.has(name) || hasSecretName(name);

/** The names of fields recur in every request, so each is checked only once. */
const checkedNames = new Map<string, boolean>();
const MAX_CHECKED_NAMES = 2_000;
const MAX_CHECKED_LENGTH = 50;

function hasSecretName(name: string): boolean {
  if (name === '') return false;
  const checked = checkedNames.get(name);
  if (checked !== undefined) return checked;
  const result = SECRETS.test(name) && name !== NOT_SECRET;
  if (name.length <= MAX_CHECKED_LENGTH && checkedNames.size < MAX_CHECKED_NAMES) checkedNames.set(name, result);
  return result;
}

function change<T>(work: Work, value: T): T {
  work.is_masked = true;
  return value;
}

function copyText(work: Work, text: string, isText: boolean): string {
  const length = Math.max(0, Math.min(MAX_STRING, work.left));
  const short = text.length > length ? `${text.slice(0, length)}…` : text;
  const withoutCodes = isText ? short.replace(CODE, MASK) : short;
  const masked = URL_MARK.test(withoutCodes) ? withoutCodes.replace(URL_SECRET, `$1${MASK}`) : withoutCodes;
  work.left -= masked.length;
  return masked === text ? text : change(work, masked);
}

function copyItems(work: Work, items: unknown[], name: string, isText: boolean, depth: number): unknown[] {
  const copied: unknown[] = [];
  for (const item of items) {
    if (work.left <= 0) return change(work, [...copied, `… ${items.length - copied.length} more`]);
    copied.push(copy(work, item, isSecret(work, name) ? name : '', isText, depth + 1));
  }
  return copied;
}

function copyFields(work: Work, fields: Record<string, unknown>, isText: boolean, depth: number): object {
  const copied: Record<string, unknown> = {};
  for (const name in fields) {
    if (work.left <= 0) {
      copied['…'] = change(work, 'more fields');
      break;
    }
    const field = copy(work, fields[name], name, isText, depth + 1);
    if (name === '__proto__') Object.defineProperty(copied, name, { value: field, enumerable: true });
    else copied[name.length > MAX_STRING ? name.slice(0, MAX_STRING) : name] = field;
  }
  return copied;
}
