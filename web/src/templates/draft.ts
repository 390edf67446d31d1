/** What the form of a template holds, and how it becomes what the rules, the preview and the endpoint take. Pure. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { AUTHENTICATION_TEXT } from '@parley/contract/channels/whatsapp/authentication.ts';
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
  /** By name: the same place twice has one example. */
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

/** Another name, in the letters of the channel and never too long. */
export function copyName(name: string, channel: ChannelName): string {
  const ending = channel === 'WHATSAPP' ? '_copy' : ' copy';
  return name.slice(0, 45 - ending.length) + ending;
}

export const sampledNames = (draft: FormDraft): string[] => [...new Set(placesOf(draft).map(({ name }) => name))];
const headerOf = ({ channel, type, wa_category, header }: FormDraft): string | null =>
  (channel === 'WHATSAPP' && type === 'text' && wa_category !== 'AUTHENTICATION' && header.trim()) || null;
/** WhatsApp writes the text of a one-time code itself; what was written for another category waits for it. */
export const isOneTime = ({ channel, wa_category }: Pick<FormDraft, 'channel' | 'wa_category'>): boolean =>
  channel === 'WHATSAPP' && wa_category === 'AUTHENTICATION';
const textOf = (draft: FormDraft): string => {
  if (isOneTime(draft)) return AUTHENTICATION_TEXT;
  return isAlone(draft) ? '' : draft.text;
};
export const placesOf = (draft: FormDraft) =>
  templatePlaceholders({
    channel: draft.channel,
    header: headerOf(draft),
    text: textOf(draft),
  });

/** What the channel and the type know nothing of is left out. */
/** Viber hands a document over alone. */
export const isAlone = ({ channel, type }: Pick<FormDraft, 'channel' | 'type'>): boolean =>
  channel === 'VIBER' && type === 'document';

export function toTemplateDraft(draft: FormDraft): TemplateDraft {
  const whatsapp = draft.channel === 'WHATSAPP';
  const type = draft.channel === 'SMS' || isOneTime(draft) ? 'text' : draft.type;
  const { source, media, url } = draft.attachment;
  return {
    channel: draft.channel,
    name: draft.name.trim(),
    text: textOf(draft).trim(),
    type,
    media_id: type !== 'text' && source === 'file' ? (media?.id ?? null) : null,
    url: type !== 'text' && source === 'link' ? url.trim() || null : null,
    filename: type === 'document' ? draft.filename.trim() || null : null,
    header: headerOf(draft),
    footer: (whatsapp && !isOneTime(draft) && draft.footer.trim()) || null,
    buttons:
      draft.channel === 'SMS' || isAlone(draft) || isOneTime(draft)
        ? []
        : draft.buttons.map((button) => ({ ...button, text: button.text.trim(), value: button.value.trim() })),
    wa_category: whatsapp ? draft.wa_category : null,
    wa_sender_code: whatsapp ? draft.wa_sender_code || null : null,
    samples: whatsapp ? placesOf(draft).map(({ name }) => draft.samples[name]?.trim() ?? '') : [],
  };
}

export const toBody = (draft: FormDraft) => ({
  ...toTemplateDraft(draft),
  buttons: [...toTemplateDraft(draft).buttons],
  samples: [...toTemplateDraft(draft).samples],
  language: draft.language,
});

export interface FieldFinding {
  /** Of the form: `samples.first_name`, `buttons.0.text`, `attachment`. */
  field: string;
  message: string;
}

/** Everything that is wrong, in the order of the form, one word for each field. */
export function findingsOf(draft: FormDraft): FieldFinding[] {
  const found = templateFindings(toTemplateDraft(draft))
    .filter(({ field }) => field !== 'url')
    .map(({ field, message }) => ({ field: formField(field, draft), message }));
  const type = draft.channel === 'SMS' ? 'text' : draft.type;
  const file = type === 'text' ? null : attachmentProblem(draft.attachment, type, draft.channel);
  const all = file ? [...found, { field: 'attachment', message: file }] : found;
  const once = all.filter(({ field }, at) => all.findIndex((other) => other.field === field) === at);
  return once.sort((a, b) => placeOf(a.field) - placeOf(b.field));
}

const ORDER = [
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
const placeOf = (field: string): number => ORDER.findIndex((start) => field.startsWith(start));

/** Of the server's fields as of the rules'. */
export function formField(field: string, draft: FormDraft): string {
  if (field === 'url' || field === 'media_id') return 'attachment';
  if (field === 'button_text' || field === 'button_value' || field === 'button_type') return 'buttons';
  if (field === 'button') return 'buttons';
  const sample = /^samples\.(\d+)$/.exec(field);
  return sample ? `samples.${placesOf(draft)[Number(sample[1])]?.name ?? ''}` : field;
}

/** As one person reads it: examples first, then fallbacks, then the tag itself. */
export function previewOf(draft: FormDraft): Filled {
  const template = toTemplateDraft(draft);
  const values = templatePlaceholders(template).map(
    ({ name, tag, fallback }) => (draft.channel === 'WHATSAPP' && draft.samples[name]?.trim()) || fallback || tag,
  );
  return fillTemplate({ ...template, id: '', language: draft.language, external_id: null }, values);
}

/** As templates are shown that are not being written. */
export function shownOf(template: Template): Filled {
  const values = templatePlaceholders(template).map(({ tag, fallback }, at) => template.samples[at] || fallback || tag);
  return fillTemplate(template, values);
}

const OPT_OUT_END = /\s*\{sms_opt_out\}\s*$/;
export const endsWithOptOut = (text: string): boolean => OPT_OUT_END.test(text);
/** The opt-out footer is a part of the text and counts like it. */
export const withOptOut = (text: string, on: boolean): string =>
  on === endsWithOptOut(text)
    ? text
    : on
      ? `${text.trimEnd()}\n{sms_opt_out}`.trimStart()
      : text.replace(OPT_OUT_END, '');
