/** WhatsApp templates, which WhatsApp must approve. */
import {
  type Finding,
  finding,
  MAX_FOOTER,
  MAX_HEADER,
  MAX_VARIABLE,
  type TemplateDraft,
} from '../../templates/draft.ts';
import { mediaFindings, textFindings } from '../../templates/fields.ts';
import { findPlaceholders } from '../../templates/placeholders.ts';
import { textLength } from '../../text_length.ts';
import { authenticationFindings, CODE_RULE, CODE_TAG, isCode } from './authentication.ts';
import { checkButtons } from './buttons.ts';
import { media } from './media.ts';

export function checkTemplate(draft: TemplateDraft): Finding[] {
  const findings = [...mediaFindings(draft, media), ...textFindings(draft, true), ...checkButtons(draft)];
  if (!draft.wa_sender_code?.trim()) findings.push(finding('TEMPLATE_SENDER_REQUIRED', 'wa_sender_code'));
  if (!draft.wa_category) findings.push(finding('VALUE_INVALID', 'wa_category', 'Category is required!'));
  if (draft.wa_category === 'AUTHENTICATION') findings.push(...authenticationFindings(draft));
  else findings.push(...edgeFindings(draft.text));
  return [...findings, ...headerAndFooterFindings(draft), ...sampleFindings(draft)];
}

/**
 * WhatsApp rejects a placeholder at the very start or end of a text, and two placeholders without a word between them.
 */
function edgeFindings(text: string): Finding[] {
  const body = text.trim();
  const tags = findPlaceholders(body);
  const first = tags[0];
  const last = tags.at(-1);
  if (!first || !last) return [];
  if (first.index === 0) return [finding('TEMPLATE_TEXT_INVALID', 'text', 'The text cannot begin with a placeholder')];
  if (last.index + last.tag.length === body.length)
    return [finding('TEMPLATE_TEXT_INVALID', 'text', 'The text cannot end with a placeholder')];
  const touching = tags.some((tag, at) => {
    const before = tags[at - 1];
    return before && body.slice(before.index + before.tag.length, tag.index).trim() === '';
  });
  return touching ? [finding('TEMPLATE_TEXT_INVALID', 'text', 'Placeholders need words between them')] : [];
}

function headerAndFooterFindings({ type, header, footer, wa_category }: TemplateDraft): Finding[] {
  const findings: Finding[] = [];
  if (header) {
    if (type !== 'text')
      findings.push(finding('TEMPLATE_TEXT_INVALID', 'header', 'A template can have a header or a file, not both'));
    else if (textLength(header) > MAX_HEADER)
      findings.push(finding('TEMPLATE_TEXT_INVALID', 'header', `Header can have at most ${MAX_HEADER} characters`));
    else if (findPlaceholders(header).length > 1)
      findings.push(finding('TEMPLATE_TEXT_INVALID', 'header', 'A header can have only one placeholder'));
    else if (/[\n\r]/.test(header))
      findings.push(finding('TEMPLATE_TEXT_INVALID', 'header', 'A header must be on one line'));
  }
  if (footer && wa_category !== 'AUTHENTICATION') {
    if (textLength(footer) > MAX_FOOTER)
      findings.push(finding('TEMPLATE_TEXT_INVALID', 'footer', `Footer can have at most ${MAX_FOOTER} characters`));
    else if (findPlaceholders(footer).length > 0)
      findings.push(finding('TEMPLATE_TEXT_INVALID', 'footer', 'A footer cannot have placeholders'));
  }
  return findings;
}

/** WhatsApp requires an example for each placeholder, starting with those in the header. */
function sampleFindings({ header, text, samples, wa_category }: TemplateDraft): Finding[] {
  return [...findPlaceholders(header ?? ''), ...findPlaceholders(text)].flatMap(({ name }, at) => {
    const sample = samples[at]?.trim() ?? '';
    if (sample === '') return [finding('VALUE_INVALID', `samples.${at}`, `An example for {${name}} is required!`)];
    if (textLength(sample) > MAX_VARIABLE) return [finding('VARIABLE_TOO_LONG', `samples.${at}`)];
    return wa_category === 'AUTHENTICATION' && name === CODE_TAG && !isCode(sample)
      ? [finding('VARIABLE_TOO_LONG', `samples.${at}`, CODE_RULE)]
      : [];
  });
}
