/** Checks for individual fields of a template, from which each channel builds its own check. */

import { hasLinks } from '../links/inline.ts';
import { attachmentRefusal, linkRefusal, MAX_TEMPLATE_LINK, type MediaRule } from '../media/rules.ts';
import type { MediaType } from '../media/types.ts';
import type { Button } from '../messages/content.ts';
import { textLength } from '../text_length.ts';
import {
  type Finding,
  finding,
  MAX_BUTTON_TEXT,
  MAX_DOCUMENT_NAME,
  MAX_TEMPLATE_TEXT,
  type TemplateDraft,
} from './draft.ts';
import { findPlaceholders } from './placeholders.ts';

export function mediaFindings(
  { type, media_id, url, filename }: TemplateDraft,
  rules: Readonly<Record<MediaType, MediaRule>>,
): Finding[] {
  if (type === 'text') return [];
  const findings: Finding[] = [];
  const missing = attachmentRefusal(type, { media_id, url });
  if (missing) findings.push({ ...missing, field: 'url' });
  else if (!media_id) {
    const wrong = linkRefusal(url ?? '', rules[type], MAX_TEMPLATE_LINK);
    if (wrong) findings.push({ ...wrong, field: 'url' });
  }
  if (type === 'document') findings.push(...fileNameFindings(filename ?? ''));
  return findings;
}

export function fileNameFindings(filename: string): Finding[] {
  const name = filename.trim();
  if (name === '') return [finding('DOCUMENT_NAME_REQUIRED', 'filename', 'Document name is required!')];
  if (textLength(name) > MAX_DOCUMENT_NAME) return [finding('DOCUMENT_NAME_TOO_LONG', 'filename')];
  return /^\w+$/.test(name) ? [] : [finding('DOCUMENT_NAME_INVALID', 'filename')];
}

export function textFindings({ text }: TemplateDraft, required: boolean): Finding[] {
  if (text.trim() === '') return required ? [finding('TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!')] : [];
  if (textLength(text) > MAX_TEMPLATE_TEXT) return [finding('TEMPLATE_TEXT_TOO_LONG', 'text')];
  if (text.includes('{{') || text.includes('}}'))
    return [finding('TEMPLATE_TEXT_INVALID', 'text', 'Write placeholders in single braces, such as {first_name}')];
  if (findPlaceholders(text).some(({ name }) => name === 'sms_opt_out'))
    return [finding('TEMPLATE_TEXT_INVALID', 'text', '{sms_opt_out} works only in SMS')];
  if (hasLinks(text)) return [finding('TEMPLATE_TEXT_INVALID', 'text', 'Links in braces work only in SMS templates')];
  return [];
}

export function labelFindings({ text }: Button, at: number, all: readonly Button[]): Finding[] {
  const field = `buttons.${at}.text`;
  const label = text.trim();
  if (label === '') return [finding('BUTTON_TEXT_REQUIRED', field, 'Button text is required!')];
  if (textLength(label) > MAX_BUTTON_TEXT) return [finding('BUTTON_TEXT_TOO_LONG', field)];
  if (/[\n\r{}]/.test(label))
    return [finding('BUTTON_VALUE_INVALID', field, 'Button text must be on one line and cannot contain placeholders')];
  const twice = all.findIndex((other) => other.text.trim().toLowerCase() === label.toLowerCase()) < at;
  return twice ? [finding('BUTTON_VALUE_INVALID', field, 'Another button already has this text')] : [];
}

export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  const address = new URL(text);
  return address.hostname.includes('.') && !address.username && !address.password && !/[{}]/.test(text);
}
