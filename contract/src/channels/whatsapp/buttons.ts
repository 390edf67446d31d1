/** Buttons of WhatsApp messages and templates. */
import type { Button } from '../../messages/content.ts';
import { type Finding, finding, type TemplateDraft } from '../../templates/draft.ts';
import { isWebAddress, labelFindings } from '../../templates/fields.ts';
import { textLength } from '../../text_length.ts';
import { MAX_BUTTONS_BY_TYPE, MAX_TEMPLATE_BUTTONS } from './limits.ts';

const MAX_LINK = 195;
const PHONE_DIGITS = { min: 4, max: 17 } as const;

export function checkButtons({ buttons }: Pick<TemplateDraft, 'buttons'>): Finding[] {
  const findings = buttons.flatMap((button, at) => [
    ...labelFindings(button, at, buttons),
    ...valueFindings(button, at),
  ]);
  if (buttons.length > MAX_TEMPLATE_BUTTONS)
    findings.push(
      finding('BUTTONS_NOT_ALLOWED', 'button', `A template can have at most ${MAX_TEMPLATE_BUTTONS} buttons`),
    );
  const count = (type: Button['type']) => buttons.filter((button) => button.type === type).length;
  if (count('link') > MAX_BUTTONS_BY_TYPE.link)
    findings.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A template can have at most 2 website buttons'));
  if (count('phone_call') > MAX_BUTTONS_BY_TYPE.phone_call)
    findings.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A template can have only one phone button'));
  const replies = buttons.map((button) => button.type === 'quick_reply');
  if (replies.filter((reply, at) => reply !== replies[at - 1]).length > 2)
    findings.push(
      finding(
        'BUTTONS_NOT_ALLOWED',
        'button',
        'Quick replies must be grouped together, before or after the other buttons',
      ),
    );
  return findings;
}

function valueFindings({ type, value }: Button, at: number): Finding[] {
  const field = `buttons.${at}.value`;
  if (type === 'quick_reply') return [];
  if (type === 'link') {
    if (value === '') return [finding('BUTTON_VALUE_INVALID', field, 'Website URL is required!')];
    if (textLength(value) > MAX_LINK)
      return [finding('BUTTON_VALUE_INVALID', field, `Website URL can have at most ${MAX_LINK} characters`)];
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
