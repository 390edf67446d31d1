/** Authentication templates: a one-time code in a fixed text that WhatsApp provides. */
import { type Finding, finding, type TemplateDraft } from '../../templates/draft.ts';
import { textLength } from '../../text_length.ts';

/** The placeholder of a one-time code. */
export const CODE_TAG = 'code';
/** The text that people read, in the template's language. WhatsApp provides it and accepts no other text. */
export const AUTHENTICATION_TEXT = [
  `{${CODE_TAG}} is your verification code.`,
  'For your security, do not share this code.',
].join(' ');

const MAX_CODE = 15;
export const CODE_RULE = `A code can have at most ${MAX_CODE} characters and no spaces`;
export const isCode = (value: string): boolean => textLength(value) <= MAX_CODE && !/\s/.test(value);

/** An authentication template has only the code and the fixed text: no file, header, footer, link, or button. */
export function authenticationFindings({ type, text, header, footer, buttons }: TemplateDraft): Finding[] {
  const findings: Finding[] = [];
  const refuse = (field: string, what: string) =>
    findings.push(finding('TEMPLATE_TEXT_INVALID', field, `An authentication template cannot have ${what}`));
  if (text.trim() !== '' && text.trim() !== AUTHENTICATION_TEXT)
    findings.push(finding('TEMPLATE_TEXT_INVALID', 'text', `WhatsApp requires this text: “${AUTHENTICATION_TEXT}”`));
  if (type !== 'text') refuse('type', 'a file');
  if (header) refuse('header', 'a header');
  if (footer) refuse('footer', 'a footer');
  if (buttons.length > 0) refuse('button', 'buttons. WhatsApp adds a button that copies the code.');
  return findings;
}
