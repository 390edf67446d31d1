/**
 * The template form's values, and their conversion to a draft for the rules, the preview, and the endpoint. Pure
 * functions.
 */

import type { OptionalTemplateField } from '@parley/contract/channels/channel.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Media } from '@parley/contract/media/media.ts';
import type { Button, MessageType } from '@parley/contract/messages/content.ts';
import type { TemplateDraft } from '@parley/contract/templates/draft.ts';
import { type Filled, fillTemplate, templateFindings, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import { type AttachmentValue, attachmentProblem, NO_ATTACHMENT } from '../media/attachment.ts';
import type { Category } from './words.ts';

export interface FormDraft {
  channel: ChannelName;
  name: string;
  text: string;
  type: MessageType;
  attachment: AttachmentValue;
  filename: string;
  header: string;
  footer: string;
  buttons: readonly Button[];
  wa_category: Category;
  wa_sender_code: string;
  language: string;
  /** Keyed by the placeholder's name, so repeated placeholders share an example. */
  samples: Readonly<Record<string, string>>;
}

export const emptyDraft = (channel: ChannelName): FormDraft => ({
  channel,
  name: '',
  text: '',
  type: 'text',
  attachment: NO_ATTACHMENT,
  filename: '',
  header: '',
  footer: '',
  buttons: [],
  wa_category: 'MARKETING',
  wa_sender_code: '',
  language: 'en',
  samples: {},
});

export function draftFrom(template: Template, media: Media | null): FormDraft {
  const samples: Record<string, string> = {};
  templatePlaceholders(template).forEach(({ name }, at) => {
    samples[name] ??= template.samples[at] ?? '';
  });
  return {
    channel: template.channel,
    name: template.name,
    text: template.text,
    type: template.type,
    attachment: template.url ? { source: 'link', media: null, url: template.url } : { ...NO_ATTACHMENT, media },
    filename: template.filename ?? '',
    header: template.header ?? '',
    footer: template.footer ?? '',
    buttons: template.buttons,
    wa_category: template.wa_category ?? 'MARKETING',
    wa_sender_code: template.wa_sender_code ?? '',
    language: template.language,
    samples,
  };
}

const MAX_NAME = 45;

/** The name of a copy, valid on the channel and within the length limit. */
export function copyName(name: string, channel: ChannelName): string {
  const ending = channelRules(channel).templates.name ? '_copy' : ' copy';
  return name.slice(0, MAX_NAME - ending.length) + ending;
}

export const hasField = (channel: ChannelName, field: OptionalTemplateField): boolean =>
  channelRules(channel).templates.fields.includes(field);

/** The text, if the channel supplies it; null if the author writes it. */
export const fixedText = ({ channel, wa_category }: Pick<FormDraft, 'channel' | 'wa_category'>): string | null =>
  channelRules(channel).templates.fixedText({ wa_category });

/**
 * The message type. Falls back to plain text if the channel or category does not support the type selected in the form.
 */
export const draftType = (draft: FormDraft): MessageType =>
  channelRules(draft.channel).types.includes(draft.type) && fixedText(draft) === null ? draft.type : 'text';

/** Whether the template consists only of a file, without text and buttons. */
export const isFileOnly = (draft: FormDraft): boolean =>
  channelRules(draft.channel).templates.isFileOnly(draftType(draft));

export const hasHeader = (draft: FormDraft): boolean =>
  hasField(draft.channel, 'header') && draftType(draft) === 'text' && fixedText(draft) === null;
export const hasFooter = (draft: FormDraft): boolean => hasField(draft.channel, 'footer') && fixedText(draft) === null;
export const hasButtons = (draft: FormDraft): boolean =>
  channelRules(draft.channel).max_buttons > 0 && fixedText(draft) === null && !isFileOnly(draft);

const draftHeader = (draft: FormDraft): string | null => (hasHeader(draft) && draft.header.trim()) || null;
const draftText = (draft: FormDraft): string => fixedText(draft) ?? (isFileOnly(draft) ? '' : draft.text);

export const draftPlaceholders = (draft: FormDraft) =>
  templatePlaceholders({ header: draftHeader(draft), text: draftText(draft) });
export const sampledNames = (draft: FormDraft): string[] =>
  hasField(draft.channel, 'samples') ? [...new Set(draftPlaceholders(draft).map(({ name }) => name))] : [];

/** Omits the values that the channel, type, or category does not support. */
export function toTemplateDraft(draft: FormDraft): TemplateDraft {
  const { channel, samples } = draft;
  const type = draftType(draft);
  const { source, media, url } = draft.attachment;
  return {
    channel,
    name: draft.name.trim(),
    text: draftText(draft).trim(),
    type,
    media_id: type !== 'text' && source === 'file' ? (media?.id ?? null) : null,
    url: type !== 'text' && source === 'link' ? url.trim() || null : null,
    filename: type === 'document' ? draft.filename.trim() || null : null,
    header: draftHeader(draft),
    footer: (hasFooter(draft) && draft.footer.trim()) || null,
    buttons: hasButtons(draft)
      ? draft.buttons.map((button) => ({ ...button, text: button.text.trim(), value: button.value.trim() }))
      : [],
    wa_category: hasField(channel, 'wa_category') ? draft.wa_category : null,
    wa_sender_code: hasField(channel, 'wa_sender_code') ? draft.wa_sender_code || null : null,
    samples: hasField(channel, 'samples')
      ? draftPlaceholders(draft).map(({ name }) => samples[name]?.trim() ?? '')
      : [],
  };
}

export function toBody(draft: FormDraft) {
  const template = toTemplateDraft(draft);
  return { ...template, buttons: [...template.buttons], samples: [...template.samples], language: draft.language };
}

export interface FieldFinding {
  /** The name of a form field, such as `samples.first_name`, `buttons.0.text`, or `attachment`. */
  field: string;
  message: string;
}

/** All problems with the draft, in the order of the form, with at most one finding per field. */
export function draftFindings(draft: FormDraft): FieldFinding[] {
  const findings = templateFindings(toTemplateDraft(draft))
    .filter(({ field }) => field !== 'url')
    .map(({ field, message }) => ({ field: formField(field, draft), message }));
  const type = draftType(draft);
  const problem = type === 'text' ? null : attachmentProblem(draft.attachment, type, draft.channel);
  const all = problem ? [...findings, { field: 'attachment', message: problem }] : findings;
  const unique = all.filter(({ field }, at) => all.findIndex((other) => other.field === field) === at);
  return unique.sort((a, b) => fieldPosition(a.field) - fieldPosition(b.field));
}

const FIELD_ORDER = [
  'name',
  'wa_sender_code',
  'wa_category',
  'language',
  'type',
  'attachment',
  'filename',
  'header',
  'text',
  'footer',
  'button',
  'samples',
];
const fieldPosition = (field: string): number => FIELD_ORDER.findIndex((start) => field.startsWith(start));

/** The form field that shows the error for a field of the rules or of the API. */
export function formField(field: string, draft: FormDraft): string {
  if (field === 'url' || field === 'media_id') return 'attachment';
  if (field === 'button_text' || field === 'button_value' || field === 'button_type') return 'buttons';
  if (field === 'button') return 'buttons';
  const sample = /^samples\.(\d+)$/.exec(field);
  return sample ? `samples.${draftPlaceholders(draft)[Number(sample[1])]?.name ?? ''}` : field;
}

/**
 * The draft as a recipient reads it. Placeholders are filled with examples or, if there are none, with fallbacks.
 * Otherwise, they are left as written.
 */
export function previewDraft(draft: FormDraft): Filled {
  const template = toTemplateDraft(draft);
  const samples = hasField(draft.channel, 'samples') ? draft.samples : {};
  const values = templatePlaceholders(template).map(
    ({ name, tag, fallback }) => samples[name]?.trim() || fallback || tag,
  );
  return fillTemplate({ ...template, id: '', language: draft.language, external_id: null }, values);
}

/** A stored template as a recipient reads it, filled in the same way. */
export function previewTemplate(template: Template): Filled {
  const values = templatePlaceholders(template).map(({ tag, fallback }, at) => template.samples[at] || fallback || tag);
  return fillTemplate(template, values);
}

/** The sender's name in the preview. */
export const previewSender = (wa_sender_code: string | null): string =>
  wa_sender_code ? `+${wa_sender_code}` : 'Your company';

const OPT_OUT_END = /\s*\{sms_opt_out\}\s*$/;
export const endsWithOptOut = (text: string): boolean => OPT_OUT_END.test(text);

/** Adds or removes the opt-out footer, which is part of the text and counts toward its length. */
export function withOptOut(text: string, isOn: boolean): string {
  if (isOn === endsWithOptOut(text)) return text;
  return isOn ? `${text.trimEnd()}\n{sms_opt_out}`.trimStart() : text.replace(OPT_OUT_END, '');
}
