import type { MessageDraft } from '../../messages/draft.ts';
import { buttonTextFindings, contentFindings, templateTextFindings, typeFindings } from '../../messages/fields.ts';
import { type Finding, finding } from '../../templates/draft.ts';
import { media } from './media.ts';
import { checkButtons } from './templates.ts';

export function checkMessage(draft: MessageDraft, type: string): Finding[] {
  const findings = typeFindings(draft, type);
  if (draft.template !== null) {
    findings.push(...templateTextFindings(draft));
    if (draft.buttons.length > 0)
      findings.push(finding('BUTTONS_NOT_ALLOWED', 'button', 'A template’s buttons cannot be changed'));
    return findings;
  }
  return [...findings, ...contentFindings(draft, type, media, buttonFindings)];
}

function buttonFindings(draft: MessageDraft): Finding[] {
  const { type, text, buttons } = draft;
  if (buttons.length === 0)
    return type === 'image' && text.trim() !== '' ? [finding('VIBER_BUTTON_REQUIRED', 'button')] : [];
  if (type === 'document') return [finding('BUTTONS_NOT_ALLOWED', 'button', 'A document cannot have buttons')];
  return [...checkButtons(draft), ...buttonTextFindings(draft)];
}
