import type { MessageDraft } from '../../messages/draft.ts';
import { buttonTextFindings, contentFindings, templateTextFindings, typeFindings } from '../../messages/fields.ts';
import { type Finding, finding } from '../../templates/draft.ts';
import { checkButtons } from './buttons.ts';
import { cardFindings } from './cards.ts';
import { media } from './media.ts';

/** The maximum number of quick replies in a message without a template. */
export const MAX_QUICK_REPLIES = 3;

export function checkMessage(draft: MessageDraft, type: string): Finding[] {
  const findings = typeFindings(draft, type);
  if (draft.template !== null) {
    findings.push(...templateTextFindings(draft));
    if (draft.buttons.length > 0)
      findings.push(finding('WHATSAPP_BUTTON_NOT_ALLOWED', 'button', 'A template’s buttons cannot be changed'));
    return findings;
  }
  if (draft.cards !== null) return [...findings, ...cardFindings({ ...draft, cards: draft.cards })];
  return [...findings, ...contentFindings(draft, type, media, buttonFindings)];
}

/** Without a template, WhatsApp accepts either quick replies or one link. */
function buttonFindings(draft: MessageDraft): Finding[] {
  const { type, buttons } = draft;
  if (buttons.length === 0) return [];
  if (type === 'document') return [finding('WHATSAPP_BUTTON_NOT_ALLOWED', 'button', 'A document cannot have buttons')];
  const findings = [...checkButtons(draft), ...buttonTextFindings(draft)];
  const types = new Set(buttons.map((button) => button.type));
  if (types.has('phone_call'))
    findings.push(finding('WHATSAPP_BUTTON_NOT_ALLOWED', 'button', 'Only templates can have a phone button'));
  else if (types.size > 1)
    findings.push(
      finding('WHATSAPP_BUTTON_NOT_ALLOWED', 'button', 'A message can have quick replies or a link, not both'),
    );
  else if (types.has('link') && buttons.length > 1)
    findings.push(finding('WHATSAPP_BUTTON_NOT_ALLOWED', 'button', 'A message can have only one link'));
  else if (buttons.length > MAX_QUICK_REPLIES)
    findings.push(
      finding('BUTTONS_NOT_ALLOWED', 'button', `A message can have at most ${MAX_QUICK_REPLIES} quick replies`),
    );
  return findings;
}
