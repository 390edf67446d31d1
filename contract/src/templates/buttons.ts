/** Buttons of a template, and the older way of writing the one button there may be. */
import type { Button } from '../messages/content.ts';
import { type ProblemName, problemMessage } from '../problem.ts';
import type { Finding, TemplateDraft } from './rules.ts';

export const MAX_BUTTON_TEXT = 20;
export const MAX_WHATSAPP_BUTTONS = 10;
/** WhatsApp: two websites and one phone number at most. */
export const MAX_OF = { link: 2, phone_call: 1, quick_reply: MAX_WHATSAPP_BUTTONS } as const;
export const MAX_WHATSAPP_LINK = 195;
export const MAX_VIBER_LINK = 1_000;
export const PHONE_DIGITS = { min: 4, max: 17 } as const;

const finding = (code: ProblemName, field: string, message: string = problemMessage(code)): Finding => ({
  code,
  field,
  message,
});

export function buttonFindings({ channel, type, buttons }: TemplateDraft): Finding[] {
  const found = buttons.flatMap((button, at) => [
    ...labelFindings(button, at, buttons),
    ...(channel === 'VIBER' ? viberValue(button, at) : whatsappValue(button, at)),
  ]);
  if (channel === 'VIBER') {
    if (buttons.length > 1) found.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A Viber message has one button'));
    if (buttons.length > 0 && type === 'document')
      found.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A document on Viber has no button'));
    return found;
  }
  if (buttons.length > MAX_WHATSAPP_BUTTONS)
    found.push(finding('BUTTONS_NOT_ALLOWED', 'button', `A template can have at most ${MAX_WHATSAPP_BUTTONS} buttons`));
  const count = (wanted: Button['type']) => buttons.filter((button) => button.type === wanted).length;
  if (count('link') > MAX_OF.link)
    found.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A template can have at most 2 website buttons'));
  if (count('phone_call') > MAX_OF.phone_call)
    found.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A template can have one phone button'));
  const replies = buttons.map((button) => button.type === 'quick_reply');
  if (replies.filter((reply, at) => reply !== replies[at - 1]).length > 2)
    found.push(
      finding('BUTTONS_NOT_ALLOWED', 'button', 'Quick replies stand together, before or after the other buttons'),
    );
  return found;
}

function labelFindings({ text }: Button, at: number, all: readonly Button[]): Finding[] {
  const field = `buttons.${at}.text`;
  const label = text.trim();
  if (label === '') return [finding('BUTTON_TEXT_REQUIRED', field, 'Button text is required!')];
  if (label.length > MAX_BUTTON_TEXT) return [finding('BUTTON_TEXT_TOO_LONG', field)];
  if (/[\n\r{}]/.test(label))
    return [finding('BUTTON_VALUE_INVALID', field, 'Button text is one line without placeholders')];
  const twice = all.findIndex((other) => other.text.trim().toLowerCase() === label.toLowerCase()) < at;
  return twice ? [finding('BUTTON_VALUE_INVALID', field, 'Another button has this text')] : [];
}

function viberValue({ type, value }: Button, at: number): Finding[] {
  const field = `buttons.${at}.value`;
  if (type !== 'link') return [finding('BUTTONS_NOT_ALLOWED', `buttons.${at}.type`, 'A button on Viber opens a link')];
  if (value === '') return [finding('BUTTON_VALUE_INVALID', field, 'Button action URL is required!')];
  if (value.length > MAX_VIBER_LINK)
    return [
      finding(
        'BUTTON_VALUE_INVALID',
        field,
        `Button action URL can have at most ${MAX_VIBER_LINK.toLocaleString('en-US')} characters`,
      ),
    ];
  return isWebAddress(value) ? [] : [finding('BUTTON_VALUE_INVALID', field, 'Button action URL is not valid')];
}

function whatsappValue({ type, value }: Button, at: number): Finding[] {
  const field = `buttons.${at}.value`;
  if (type === 'quick_reply') return [];
  if (type === 'link') {
    if (value === '') return [finding('BUTTON_VALUE_INVALID', field, 'Website URL is required!')];
    if (value.length > MAX_WHATSAPP_LINK)
      return [finding('BUTTON_VALUE_INVALID', field, `Website URL can have at most ${MAX_WHATSAPP_LINK} characters`)];
    return isWebAddress(value) ? [] : [finding('BUTTON_VALUE_INVALID', field, 'Website URL is not valid')];
  }
  if (value === '') return [finding('BUTTON_VALUE_INVALID', field, 'Phone number is required!')];
  if (!/^[+\d]+$/.test(value))
    return [finding('BUTTON_VALUE_INVALID', field, 'Phone number can contain only pluses and numbers.')];
  const { min, max } = PHONE_DIGITS;
  if (value.length < min || value.length > max)
    return [finding('BUTTON_VALUE_INVALID', field, `Phone number must have between ${min} and ${max} characters`)];
  return [];
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  const address = new URL(text);
  return address.hostname.includes('.') && !address.username && !address.password && !/[{}]/.test(text);
}

export interface OneButton {
  button_type?: string | null | undefined;
  button_text?: string | null | undefined;
  button_value?: string | null | undefined;
}

/** A list of buttons, or the one that older clients write: quick_reply, call_to_action, LINK or PHONE_CALL. Null: no kind of button. */
export function buttonsOf(input: OneButton & { buttons?: readonly Button[] | undefined }): Button[] | null {
  if (input.buttons) return [...input.buttons];
  const kind = input.button_type?.trim().toLowerCase() ?? '';
  const text = input.button_text?.trim() ?? '';
  const value = input.button_value?.trim() ?? '';
  if (kind === '' && text === '' && value === '') return [];
  if (kind === 'quick_reply') return [{ type: 'quick_reply', text, value }];
  if (kind === 'link' || kind === 'phone_call') return [{ type: kind, text, value }];
  if (kind !== 'call_to_action' && kind !== '') return null;
  return [{ type: /^\+?\d+$/.test(value) ? 'phone_call' : 'link', text, value }];
}

/** The first button, as older clients read it. */
export function firstButton(buttons: readonly Button[]): {
  button_type: 'quick_reply' | 'call_to_action' | null;
  button_text: string | null;
  button_value: string | null;
} {
  const first = buttons[0];
  if (!first) return { button_type: null, button_text: null, button_value: null };
  return {
    button_type: first.type === 'quick_reply' ? 'quick_reply' : 'call_to_action',
    button_text: first.text,
    button_value: first.value,
  };
}
