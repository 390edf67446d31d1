/** WhatsApp's review of templates: submitting a template, and reading its state. */

import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { findPlaceholders } from '@parley/contract/templates/placeholders.ts';
import { CarrierRefusal, type TemplateDraft, type TemplateReview } from '../channel.ts';
import type { OutgoingMedia } from '../outgoing_content.ts';
import type { TemplateQuality, TemplateState } from '../template_state.ts';
import { type Json, toObject, toText } from '../wire_json.ts';
import { callGraph, listFromGraph, pathSegment } from './graph.ts';
import { createHandle } from './handles.ts';
import { reasons } from './reasons.ts';

const FIELDS = 'id,name,language,status,category,rejected_reason,quality_score';

export const templates: TemplateReview = {
  reasons,
  async submit({ settings }, draft) {
    const parsed = WhatsAppSettings.parse(settings);
    const { name, language, category } = draft;
    const components = await buildComponents(parsed, draft);
    const body = { name, language, category, parameter_format: 'POSITIONAL', components };
    return toState({
      ...draftState(draft),
      ...(await callGraph(parsed, `${pathSegment(parsed.waba_id)}/message_templates`, { body })),
    });
  },
  async change({ settings }, external_id, draft) {
    const parsed = WhatsAppSettings.parse(settings);
    const path = pathSegment(external_id);
    const query = { fields: FIELDS };
    const before = await callGraph(parsed, path, { query });
    // Only WhatsApp changes the category of an approved template; it refuses even the same category.
    const category = toText(before.category) === draft.category ? {} : { category: draft.category };
    await callGraph(parsed, path, { body: { ...category, components: await buildComponents(parsed, draft) } });
    return toState({ ...draftState(draft), ...(await callGraph(parsed, path, { query })) });
  },
  async remove({ settings }, { external_id, name }) {
    const parsed = WhatsAppSettings.parse(settings);
    const query = { name, hsm_id: external_id };
    try {
      await callGraph(parsed, `${pathSegment(parsed.waba_id)}/message_templates`, { method: 'DELETE', query });
    } catch (error) {
      if (!(error instanceof CarrierRefusal) || (await isStoredAtWhatsapp(parsed, external_id))) throw error;
    }
  },
  async list({ settings }) {
    const parsed = WhatsAppSettings.parse(settings);
    return (await listFromGraph(parsed, `${pathSegment(parsed.waba_id)}/message_templates`, FIELDS)).map(toState);
  },
};

const isStoredAtWhatsapp = (settings: WhatsAppSettings, external_id: string): Promise<boolean> =>
  callGraph(settings, pathSegment(external_id), { query: { fields: 'id' } }).then(
    () => true,
    (error) => {
      if (error instanceof CarrierRefusal) return false;
      throw error;
    },
  );

const draftState = ({ name, language, category }: TemplateDraft): Json => ({ name, language, category });

type Standing = Pick<TemplateState, 'status' | 'paused' | 'disabled'>;
const sendable: Standing = { status: 'COMPLETED', paused: false, disabled: false };
const paused: Standing = { ...sendable, paused: true };
const waiting: Standing = { ...sendable, status: 'IN_PROCESS' };
const refused: Standing = { ...sendable, status: 'CANCELED' };

const STATUSES: Readonly<Record<string, Standing>> = {
  APPROVED: sendable,
  REINSTATED: sendable,
  UNARCHIVED: sendable,
  FLAGGED: sendable,
  PAUSED: paused,
  DISABLED: { ...paused, disabled: true },
  ARCHIVED: paused,
  PENDING: waiting,
  IN_APPEAL: waiting,
  REJECTED: refused,
  LIMIT_EXCEEDED: refused,
  PENDING_DELETION: refused,
  DELETED: refused,
};

/** Returns null for a status that does not state whether the template can be sent. */
export function readStanding(status: string, reason: string): (Standing & Pick<TemplateState, 'reason'>) | null {
  const entry = Object.hasOwn(STATUSES, status) ? STATUSES[status]! : null;
  if (!entry) return null;
  const detail = reason === '' || reason === 'NONE' ? '' : reason;
  const fine = status === 'APPROVED' || status === 'PENDING' || status === 'REINSTATED' || status === 'UNARCHIVED';
  return { ...entry, reason: fine ? '' : detail || (status === 'REJECTED' ? '' : status) };
}

function toState(entry: Json): TemplateState {
  const status = toText(entry.status, 100);
  return {
    external_id: toText(entry.id, 100),
    name: toText(entry.name, 600),
    language: toText(entry.language, 20),
    // An unknown status does not make a template sendable.
    ...(readStanding(status, toText(entry.rejected_reason, 100)) ?? { ...waiting, reason: status }),
    category: toText(entry.category, 50) || null,
    ...(entry.quality_score === undefined ? {} : { quality: toQuality(toObject(entry.quality_score).score) }),
  };
}

export const toQuality = (score: unknown): TemplateQuality =>
  (['GREEN', 'YELLOW', 'RED'] as const).find((candidate) => candidate === score) ?? null;

async function buildComponents(settings: WhatsAppSettings, draft: TemplateDraft): Promise<Json[]> {
  if (draft.category === 'AUTHENTICATION') return ONE_TIME_CODE;
  const inHeader = findPlaceholders(draft.header ?? '').length;
  const [header, samples] = [draft.samples.slice(0, inHeader), draft.samples.slice(inHeader)];
  const components: Json[] = [];
  if (draft.media) {
    const header_handle = [await createHandle(settings, requireUploaded(draft.media))];
    components.push({ type: 'HEADER', format: draft.media.type.toUpperCase(), example: { header_handle } });
  } else if (draft.header) {
    const example = header.length > 0 ? { example: { header_text: header } } : {};
    components.push({ type: 'HEADER', format: 'TEXT', text: numberPlaceholders(draft.header), ...example });
  }
  const example = samples.length > 0 ? { example: { body_text: [samples] } } : {};
  components.push({ type: 'BODY', text: numberPlaceholders(draft.text), ...example });
  if (draft.footer) components.push({ type: 'FOOTER', text: draft.footer });
  if (draft.buttons.length > 0) components.push({ type: 'BUTTONS', buttons: draft.buttons.map(buildButton) });
  return components;
}

/** Requires an uploaded file, because the reviewer needs a sample, not a link. */
function requireUploaded(media: OutgoingMedia): OutgoingMedia {
  if (media.open && media.bytes !== null) return media;
  throw new CarrierRefusal('', 'WhatsApp reviews only uploaded files, not links');
}

/** WhatsApp writes the text and the button of authentication templates. */
const ONE_TIME_CODE: Json[] = [
  { type: 'BODY', add_security_recommendation: true },
  { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
];

/** `{first_name:there}` becomes `{{1}}`, and so on in order. */
function numberPlaceholders(text: string): string {
  let out = '';
  let from = 0;
  findPlaceholders(text).forEach(({ tag, index }, at) => {
    out += `${text.slice(from, index)}{{${at + 1}}}`;
    from = index + tag.length;
  });
  return out + text.slice(from);
}

function buildButton({ type, text, value }: TemplateDraft['buttons'][number]): Json {
  if (type === 'link') return { type: 'URL', text, url: value };
  if (type === 'phone_call') return { type: 'PHONE_NUMBER', text, phone_number: value };
  return { type: 'QUICK_REPLY', text };
}
