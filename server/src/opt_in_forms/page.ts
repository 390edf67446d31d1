/** The HTML of opt-in pages. */
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { type FormLanguage, LANGUAGE_NAMES } from '@parley/contract/opt_in_forms/languages.ts';
import { escapeHtml, publicPage } from '../links/links.ts';
import type { PublicForm } from './page_queries.ts';
import { fillSentence, SENTENCES } from './sentences.ts';
import { WORDS } from './words.ts';

/** A field on the page. */
export interface PageField {
  /** `first_name`, `last_name`, or `fields.` and a key. */
  key: string;
  required: boolean;
  /** Null for a name. */
  own: ContactField | null;
}

export interface PageView {
  form: PublicForm;
  language: FormLanguage;
  /** The path of the page. */
  path: string;
}

/** The values that the person entered, and the problems of each field. `agree` is the consent. */
export interface Entered {
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
}

export const words = (language: FormLanguage) => ({ ...WORDS[language], ...SENTENCES[language] });

const render = ({ form, language }: PageView, title: string, body: string): string =>
  publicPage({
    title: `${title} – ${form.company_name}`,
    language,
    body: `<p class="brand">${escapeHtml(form.company_name)}</p>\n<h1>${escapeHtml(title)}</h1>\n${body}`,
  });

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

export const formTexts = ({ form, language }: PageView) =>
  form.texts.find((one) => one.language === language) ?? form.texts[0]!;

/** Only programs fill this field. */
const TRAP = `<div class="trap" aria-hidden="true">
<label>Website <input name="website" tabindex="-1" autocomplete="off"></label></div>`;

export function startPage(view: PageView, fields: readonly PageField[], { values, errors }: Entered): string {
  const { form, language, path } = view;
  const { title, description, consent } = formTexts(view);
  const word = words(language);
  const country = new Intl.DisplayNames([language], { type: 'region' }).of(form.country) ?? form.country;
  const number = input({
    ...{ name: 'number', label: word.number, type: 'tel', value: values.number ?? '', error: errors.number },
    ...{ attributes: 'required maxlength="45" autocomplete="tel" inputmode="tel"' },
    hint: fillSentence(word.number_hint, country),
  });
  const others = fields.map((field) => fieldInput(field, word, values[field.key] ?? '', errors[field.key]));
  const body = `${description ? paragraph(description) : ''}
${errorSummary(word.errors, errors, fields, word)}
<form method="post" action="${escapeHtml(path)}" novalidate>
<input type="hidden" name="lang" value="${language}">
${number}
${others.join('\n')}
${TRAP}
${checkbox({ name: 'agree', label: consent, isChecked: values.agree !== undefined, error: errors.agree })}
<button type="submit">${escapeHtml(word.submit)}</button></form>
${languageLinks(view)}`;
  return render(view, title, body);
}

/** The page is the same whether or not the number is known, stopped, or gets a code. */
export function codePage(
  view: PageView,
  { number, token, consent, isWrong = false }: { number: string; token: string; consent: string; isWrong?: boolean },
): string {
  const { form, language, path } = view;
  const word = words(language);
  const code = input({
    ...{ name: 'code', label: word.code, type: 'text', value: '', error: isWrong ? word.wrong_code : undefined },
    attributes: 'required maxlength="10" autocomplete="one-time-code" inputmode="numeric" autofocus',
  });
  const body = `${paragraph(fillSentence(word.code_sent, `+${number}`))}
<form method="post" action="${escapeHtml(path)}" novalidate>
<input type="hidden" name="lang" value="${language}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${code}
<p>${escapeHtml(word.agree_by_code)} ${escapeHtml(consent)}</p>
<button type="submit">${escapeHtml(word.confirm)}</button>
<p class="after">${escapeHtml(word.no_code)} ${escapeHtml(stopHint(form, language))}</p>
<button class="second" type="submit" name="action" value="resend">${escapeHtml(word.resend)}</button></form>`;
  return render(view, word.code_title, body);
}

/** Numbers on the stop list get no code. The page shows everyone what to do in that case, so it reveals nothing. */
const stopHint = (form: PublicForm, language: FormLanguage): string =>
  form.reply_number === null
    ? fillSentence(words(language).ask_first, form.company_name)
    : fillSentence(words(language).start_first, writtenNumber(form.reply_number));

/** Short codes are written without a plus sign. */
const writtenNumber = (code: string): string => (/^\d{7,}$/.test(code) ? `+${code}` : code);

export function donePage(view: PageView): string {
  const word = words(view.language);
  return render(view, word.done_title, paragraph(fillSentence(word.done, view.form.company_name)));
}

export function stoppedPage(view: PageView): string {
  return render(view, words(view.language).stopped_title, paragraph(stopHint(view.form, view.language)));
}

export function closedPage(view: PageView): string {
  const word = words(view.language);
  return render(view, word.closed_title, paragraph(fillSentence(word.closed, view.form.company_name)));
}

export function tooManyPage(view: PageView): string {
  const word = words(view.language);
  return render(view, word.many_title, paragraph(word.many));
}

export const notFoundPage = (): string =>
  publicPage({ title: 'Page not found', body: `<h1>Page not found</h1>\n${paragraph('Check the address.')}` });

interface Input {
  name: string;
  label: string;
  type: string;
  value: string;
  error: string | undefined;
  attributes?: string;
  hint?: string;
}

function describe(name: string, error: string | undefined, hint: string | undefined): string {
  const ids = [...(error ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])];
  return `${error ? ' aria-invalid="true"' : ''}${ids.length > 0 ? ` aria-describedby="${ids.join(' ')}"` : ''}`;
}

const notes = (name: string, error: string | undefined, hint?: string): string =>
  `${hint ? `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>` : ''}
${error ? `<p class="wrong" id="${name}-error">${escapeHtml(error)}</p>` : ''}`;

const input = ({ name, label, type, value, error, attributes = '', hint }: Input): string =>
  `<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" type="${type}" value="${escapeHtml(value)}"
${attributes}${describe(name, error, hint)}>
${notes(name, error, hint)}`;

const checkbox = (box: { name: string; label: string; isChecked: boolean; error: string | undefined }): string =>
  `<label class="check"><input id="${box.name}" name="${box.name}" type="checkbox" value="yes"${
    box.isChecked ? ' checked' : ''
  }${describe(box.name, box.error, undefined)}> <span>${escapeHtml(box.label)}</span></label>
${notes(box.name, box.error)}`;

const AUTOCOMPLETE: Readonly<Record<string, string>> = { first_name: 'given-name', last_name: 'family-name' };

export const fieldLabel = ({ key, own }: PageField, word: ReturnType<typeof words>): string =>
  own?.label ?? (key === 'first_name' ? word.first_name : word.last_name);

function fieldInput(
  field: PageField,
  word: ReturnType<typeof words>,
  value: string,
  error: string | undefined,
): string {
  const { key, required, own } = field;
  const label = `${fieldLabel(field, word)}${required ? '' : ` (${word.optional})`}`;
  const isRequired = required ? ' required' : '';
  if (own?.kind === 'boolean') return checkbox({ name: key, label, isChecked: value !== '', error });
  if (own?.kind === 'choice')
    return `<label for="${key}">${escapeHtml(label)}</label>
<select id="${key}" name="${key}"${isRequired}${describe(key, error, undefined)}>
<option value="">${escapeHtml(word.choose)}</option>
${own.choices.map((choice) => option(choice, choice === value)).join('\n')}
</select>
${notes(key, error)}`;
  const attributes = own
    ? `maxlength="200"${own.kind === 'number' ? ' inputmode="decimal"' : ''}${isRequired}`
    : `maxlength="32" autocomplete="${AUTOCOMPLETE[key]}"${isRequired}`;
  return input({ name: key, label, type: own?.kind === 'date' ? 'date' : 'text', value, error, attributes });
}

const option = (value: string, isSelected: boolean): string =>
  `<option value="${escapeHtml(value)}"${isSelected ? ' selected' : ''}>${escapeHtml(value)}</option>`;

function errorSummary(
  title: string,
  errors: Entered['errors'],
  fields: readonly PageField[],
  word: ReturnType<typeof words>,
): string {
  const names: [string, string][] = [
    ['number', word.number],
    ...fields.map((field): [string, string] => [field.key, fieldLabel(field, word)]),
    ['agree', word.agree_required],
  ];
  const wrong = names.filter(([key]) => errors[key] !== undefined);
  if (wrong.length === 0) return '';
  const links = wrong.map(([key, label]) => `<li><a href="#${key}">${escapeHtml(label)}</a></li>`);
  return `<div role="alert"><p>${escapeHtml(title)}</p><ul>${links.join('')}</ul></div>`;
}

function languageLinks({ form, language, path }: PageView): string {
  const others = form.texts.filter((text) => text.language !== language);
  if (others.length === 0) return '';
  const links = others.map(
    ({ language: one }) =>
      `<a href="${escapeHtml(path)}?lang=${one}" lang="${one}" hreflang="${one}">${LANGUAGE_NAMES[one]}</a>`,
  );
  return `<nav aria-label="${escapeHtml(words(language).languages)}">${links.join(' ')}</nav>`;
}
