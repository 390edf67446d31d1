import type { OptInForm } from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import type { StatusWord } from '../ui/data/status.ts';

const ACTIVE: StatusWord = { label: 'Active', tone: 'ok', icon: 'check' };
const PAUSED: StatusWord = { label: 'Paused', tone: 'wait', icon: 'paused' };
export const formState = ({ status }: Pick<OptInForm, 'status'>): StatusWord => (status === 'active' ? ACTIVE : PAUSED);

export const withoutProtocol = (url: string): string => url.replace(/^https?:\/\//, '');

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export const frameSnippet = ({ url, texts }: OptInForm): string =>
  [
    `<iframe src="${url}" title="${escapeHtml(texts[0]!.title)}"`,
    '  style="width: 100%; height: 640px; border: 0"></iframe>',
  ].join('\n');

/** A form without a script or a frame. The next page asks for the code and shows the consent text again. */
export function htmlSnippet({ url, texts, fields }: OptInForm, label: (key: string) => string): string {
  const { consent, language } = texts[0]!;
  const inputs = fields.map(
    ({ key, required }) =>
      `  <label>${escapeHtml(label(key))} <input name="${key}"${required ? ' required' : ''}></label>`,
  );
  return [
    `<form method="post" action="${url}">`,
    `  <input type="hidden" name="lang" value="${language}">`,
    '  <label>Mobile number <input name="number" type="tel" autocomplete="tel" required></label>',
    ...inputs,
    `  <label><input name="agree" type="checkbox" value="yes" required> ${escapeHtml(consent)}</label>`,
    '  <button>Send me a code</button>',
    '</form>',
  ].join('\n');
}
