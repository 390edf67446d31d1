/** Viber templates: one button that opens a link, and no text with a document. */
import type { Button } from '../../messages/content.ts';
import { type Finding, finding, type TemplateDraft } from '../../templates/draft.ts';
import { isWebAddress, labelFindings, mediaFindings, textFindings } from '../../templates/fields.ts';
import { textLength } from '../../text_length.ts';
import { media } from './media.ts';

const MAX_LINK = 1_000;

export function checkTemplate(draft: TemplateDraft): Finding[] {
  return [
    ...mediaFindings(draft, media),
    // Only text templates require a text.
    ...textFindings(draft, draft.type === 'text'),
    ...checkButtons(draft),
    ...shapeFindings(draft),
  ];
}

function shapeFindings({ type, text, buttons }: TemplateDraft): Finding[] {
  const hasText = text.trim() !== '';
  if (type === 'document' && hasText)
    return [finding('TEMPLATE_TEXT_INVALID', 'text', 'A Viber message with a document cannot have text')];
  if (type === 'image' && hasText && buttons.length === 0) return [finding('VIBER_BUTTON_REQUIRED', 'button_text')];
  if ((type === 'image' || type === 'video') && !hasText && buttons.length > 0)
    return [finding('TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!')];
  return [];
}

export function checkButtons({ type, buttons }: Pick<TemplateDraft, 'type' | 'buttons'>): Finding[] {
  const findings = buttons.flatMap((button, at) => [
    ...labelFindings(button, at, buttons),
    ...linkFindings(button, at),
  ]);
  if (buttons.length > 1)
    findings.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A Viber message can have only one button'));
  if (buttons.length > 0 && type === 'document')
    findings.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A document on Viber cannot have buttons'));
  return findings;
}

function linkFindings({ type, value }: Button, at: number): Finding[] {
  const field = `buttons.${at}.value`;
  if (type !== 'link')
    return [finding('BUTTONS_NOT_ALLOWED', `buttons.${at}.type`, 'A button on Viber must open a link')];
  if (value === '') return [finding('BUTTON_VALUE_INVALID', field, 'Button action URL is required!')];
  if (textLength(value) > MAX_LINK)
    return [
      finding(
        'BUTTON_VALUE_INVALID',
        field,
        `Button action URL can have at most ${MAX_LINK.toLocaleString('en-US')} characters`,
      ),
    ];
  return isWebAddress(value) ? [] : [finding('BUTTON_VALUE_INVALID', field, 'Button action URL is not valid')];
}
