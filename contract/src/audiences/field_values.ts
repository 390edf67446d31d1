/** The values of the account's own fields: how texts become typed values, and how values become texts. */
import type { ContactField } from './contact_fields.ts';
import { MAX_FIELD_TEXT } from './limits.ts';

/** The stored value of a field. A date is a text, `yyyy-MM-dd`. */
export type FieldValue = string | number | boolean;
type Definition = Pick<ContactField, 'kind' | 'choices'>;

const TRUE = ['true', 'yes', 'y', '1', 'on'];
const FALSE = ['false', 'no', 'n', '0', 'off'];

/**
 * Reads a value for a field. Returns undefined if the value is not of the field's kind. Files and calls may write a
 * number or a boolean as text.
 */
export function readFieldValue({ kind, choices }: Definition, value: unknown): FieldValue | undefined {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value);
  switch (kind) {
    case 'text':
      return text !== '' && text.length <= MAX_FIELD_TEXT ? text : undefined;
    case 'number': {
      const number = text === '' || typeof value === 'boolean' ? Number.NaN : Number(text);
      return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
    }
    case 'boolean': {
      const word = text.toLowerCase();
      return TRUE.includes(word) ? true : FALSE.includes(word) ? false : undefined;
    }
    case 'date':
      return isDate(text.slice(0, 10)) && /^.{10}([ T].*)?$/.test(text) ? text.slice(0, 10) : undefined;
    case 'choice':
      return choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  }
}

/** Whether a text is a date that exists, in the format `yyyy-MM-dd`. There is no year 0. */
export function isDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** The text of a value for messages and screens; empty if there is none. */
export function fieldText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** The values that a field of this kind accepts, for errors and hints. */
export function fieldHint({ kind, choices }: Definition): string {
  switch (kind) {
    case 'text':
      return `text of at most ${MAX_FIELD_TEXT} characters`;
    case 'number':
      return 'a number';
    case 'date':
      return 'a date, such as 2027-01-31';
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return choices.length > 6 ? 'one of its choices' : `one of: ${choices.join(', ')}`;
  }
}
