/** Reads the entries of people on opt-in pages. */
import { fieldHint, readFieldValue } from '@parley/contract/audiences/field_values.ts';
import { FORM_LANGUAGES, type FormLanguage } from '@parley/contract/opt_in_forms/languages.ts';
import { listFields, parseNumber } from '../audiences/audiences.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { type Entered, type PageField, words } from './page.ts';
import type { PublicForm } from './page_queries.ts';

/** The fields of the page. Own fields that were deleted are left out. */
export async function listPageFields(db: Queryable, form: PublicForm): Promise<PageField[]> {
  const own = form.fields.some(({ key }) => key.startsWith('fields.')) ? await listFields(db, form.account_id) : [];
  return form.fields.flatMap(({ key, required }): PageField[] => {
    if (!key.startsWith('fields.')) return [{ key, required, own: null }];
    const field = own.find((one) => `fields.${one.key}` === key);
    return field ? [{ key, required, own: field }] : [];
  });
}

const NAME_LENGTH = 32;
/** NUL and other control characters. */
const CONTROL = /\p{Cc}/gu;
const clean = (text: string | null): string => (text ?? '').replace(CONTROL, ' ').trim();

export interface ReadEntries extends Entered {
  number: string;
  country: string;
}

export function readEntries(
  form: PublicForm,
  fields: readonly PageField[],
  body: URLSearchParams,
  language: FormLanguage,
): ReadEntries {
  const word = words(language);
  const values: Record<string, string> = { number: clean(body.get('number')).slice(0, 45) };
  const errors: Record<string, string> = {};
  const parsed = parseNumber(values.number!, form.country);
  if (!parsed) errors.number = word.number_invalid;
  for (const field of fields) {
    const value = clean(body.get(field.key));
    if (value !== '') values[field.key] = value.slice(0, 500);
    const error = refuseValue(field, value, word);
    if (error) errors[field.key] = error;
  }
  if (clean(body.get('agree')) === '') errors.agree = word.agree_required;
  else values.agree = 'yes';
  return { values, errors, number: parsed?.number ?? '', country: parsed?.country ?? '' };
}

function refuseValue({ required, own }: PageField, value: string, word: ReturnType<typeof words>): string | null {
  if (value === '') return required ? word.required : null;
  if (!own) return [...value].length > NAME_LENGTH ? word.invalid : null;
  return readFieldValue(own, value) === undefined ? `${word.invalid} (${fieldHint(own)})` : null;
}

/** The person's language, if the form has it. Otherwise, the first one of the form. */
export function chooseLanguage(form: PublicForm, requested: string, accepted: string | undefined): FormLanguage {
  const offered = form.texts.map(({ language }) => language);
  const wanted = [requested, ...readAccepted(accepted ?? '')];
  for (const one of wanted) {
    const language = FORM_LANGUAGES.find((known) => known === one.toLowerCase().split('-')[0]);
    if (language && offered.includes(language)) return language;
  }
  return offered[0]!;
}

/** The languages of an Accept-Language header, the preferred one first. */
const readAccepted = (header: string): string[] =>
  header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', weight = ''] = part.trim().split(';q=');
      return { tag, weight: weight === '' ? 1 : Number(weight) || 0 };
    })
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
