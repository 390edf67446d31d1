/** Authentication templates: a one-time code in a text that WhatsApp writes. */
import { type Finding, finding, type TemplateDraft } from '../../templates/draft.ts';

/** The placeholder of a one-time code. */
export const CODE_TAG = 'code';
/** What people read, in the language of the template. WhatsApp writes it and takes no other text. */
export const AUTHENTICATION_TEXT = [
  `{${CODE_TAG}} is your verification code.`,
  'For your security, do not share this code.',
].join(' ');

const MAX_CODE = 15;
export const CODE_RULE = `A code has at most ${MAX_CODE} characters and no spaces`;
export const isCode = (value: string): boolean => value.length <= MAX_CODE && !/\s/.test(value);

/** A one-time code and the text around it, nothing else: no file, header, footer, link or button. */
export function authenticationFindings({ type, text, header, footer, buttons }: TemplateDraft): Finding[] {
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
