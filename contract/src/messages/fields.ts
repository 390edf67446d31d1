/** Checks for individual parts of a message, from which each channel builds its own check. */
import { linkRefusal, type MediaRule } from '../media/rules.ts';
import type { MediaType } from '../media/types.ts';
import { type Finding, finding } from '../templates/draft.ts';
import { fileNameFindings } from '../templates/fields.ts';
import type { MessageDraft } from './draft.ts';

type MediaRules = Readonly<Record<MediaType, MediaRule>>;

export const FIXED_TEXT = 'A template’s text cannot be changed';

/** Older clients send `transactional` as the type instead of the purpose. */
export const typeFindings = (draft: MessageDraft, type: string): Finding[] =>
  type === '' || type === draft.type || type === 'transactional' ? [] : [finding('MESSAGE_TYPE_NOT_ALLOWED', 'type')];

/** A template defines the message. Only its file can be replaced, with a file of the same type. */
export const templateTextFindings = ({ text }: MessageDraft): Finding[] =>
  text === '' ? [] : [finding('MESSAGE_TEXT_INVALID', 'text', FIXED_TEXT)];

/** Checks the text and the file of a message without a template. The channel checks the buttons. */
export function contentFindings(
  draft: MessageDraft,
  given_type: string,
  media: MediaRules,
  buttonFindings: (draft: MessageDraft) => Finding[],
): Finding[] {
  const { type, text, media_id, url } = draft;
  const findings: Finding[] = [];
  const hasFile = media_id !== null || url !== null;
  if (draft.purpose === 'transactional') findings.push(finding('TRANSACTIONAL_TEMPLATE_REQUIRED', 'template'));
  if (hasFile && given_type === '') return [...findings, finding('MESSAGE_TYPE_REQUIRED', 'type')];
  if (type === 'text') {
    if (hasFile)
      findings.push(
        finding(
          'MESSAGE_TYPE_NOT_ALLOWED',
          'type',
          'A text message cannot have a file. Use the type image, video, or document.',
        ),
      );
    if (text.trim() === '') findings.push(finding('MESSAGE_TEXT_REQUIRED', 'text'));
  } else findings.push(...fileFindings(draft, media[type]));
  return [...findings, ...buttonFindings(draft)];
}

function fileFindings({ type, text, media_id, url, file_name }: MessageDraft, rule: MediaRule): Finding[] {
  const findings: Finding[] = [];
  if (media_id === null && (url === null || (type === 'document' && file_name === null)))
    return [finding(type === 'document' ? 'DOCUMENT_LINK_REQUIRED' : 'MEDIA_LINK_REQUIRED', 'url')];
  if (media_id !== null && url !== null)
    findings.push(finding('MEDIA_LINK_INVALID', 'url', 'A message can have a file or a link, not both'));
  const wrong = media_id === null ? linkRefusal(url!, rule) : null;
  if (wrong) findings.push({ ...wrong, field: 'url' });
  if (type === 'document') {
    if (file_name !== null)
      findings.push(...fileNameFindings(file_name).map((one) => ({ ...one, field: 'file_name' })));
    if (text.trim() !== '') findings.push(finding('MESSAGE_TEXT_INVALID', 'text', 'A document cannot have text'));
  }
  return findings;
}

export const buttonTextFindings = ({ type, text }: MessageDraft): Finding[] =>
  text.trim() === '' && type !== 'text'
    ? [finding('MESSAGE_TEXT_REQUIRED', 'text', 'A message with a button needs text')]
    : [];
