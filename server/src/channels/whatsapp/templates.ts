/** WhatsApp's review of templates: submitting one, and reading its state. */

import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { findPlaceholders } from '@parley/contract/templates/placeholders.ts';
import {
  CarrierRefusal,
  type OutgoingMedia,
  type TemplateDraft,
  type TemplateQuality,
  type TemplateReview,
  type TemplateState,
} from '../channel.ts';
import { type Json, objectOf, textOf } from '../wire_json.ts';
import { graph, graphList, step } from './graph.ts';
import { handleOf } from './handles.ts';

const FIELDS = 'id,name,language,status,category,rejected_reason,quality_score';

export const templates: TemplateReview = {
  async submit({ settings }, draft) {
    const own = WhatsAppSettings.parse(settings);
    const { name, language, category } = draft;
    const components = await componentsOf(own, draft);
    const body = { name, language, category, parameter_format: 'POSITIONAL', components };
    return stateOf({
      ...draftState(draft),
      ...(await graph(own, `${step(own.waba_id)}/message_templates`, { body })),
    });
  },
  async change({ settings }, external_id, draft) {
    const own = WhatsAppSettings.parse(settings);
    const path = step(external_id);
    const query = { fields: FIELDS };
    const before = await graph(own, path, { query });
    // Only WhatsApp changes the category of an approved template; it refuses even the same category.
    const category = textOf(before.category) === draft.category ? {} : { category: draft.category };
    await graph(own, path, { body: { ...category, components: await componentsOf(own, draft) } });
    return stateOf({ ...draftState(draft), ...(await graph(own, path, { query })) });
  },
  async remove({ settings }, { external_id, name }) {
    const own = WhatsAppSettings.parse(settings);
    const query = { name, hsm_id: external_id };
    try {
      await graph(own, `${step(own.waba_id)}/message_templates`, { method: 'DELETE', query });
    } catch (error) {
      if (!(error instanceof CarrierRefusal) || (await isThere(own, external_id))) throw error;
    }
  },
  async list({ settings }) {
    const own = WhatsAppSettings.parse(settings);
    return (await graphList(own, `${step(own.waba_id)}/message_templates`, FIELDS)).map(stateOf);
  },
};

const isThere = (settings: WhatsAppSettings, external_id: string): Promise<boolean> =>
  graph(settings, step(external_id), { query: { fields: 'id' } }).then(
    () => true,
    (error) => {
      if (error instanceof CarrierRefusal) return false;
      throw error;
    },
  );

const draftState = ({ name, language, category }: TemplateDraft): Json => ({ name, language, category });

type Standing = Pick<TemplateState, 'status' | 'paused' | 'disabled'>;
const sendable: Standing = { status: 'COMPLETED', paused: false, disabled: false };
const resting: Standing = { ...sendable, paused: true };
const waiting: Standing = { ...sendable, status: 'IN_PROCESS' };
const refused: Standing = { ...sendable, status: 'CANCELED' };

const STATUSES: Readonly<Record<string, Standing>> = {
  APPROVED: sendable,
  REINSTATED: sendable,
  UNARCHIVED: sendable,
  FLAGGED: sendable,
  PAUSED: resting,
  DISABLED: { ...resting, disabled: true },
  ARCHIVED: resting,
  PENDING: waiting,
  IN_APPEAL: waiting,
  REJECTED: refused,
  LIMIT_EXCEEDED: refused,
  PENDING_DELETION: refused,
  DELETED: refused,
};

/** Null for a status that does not say whether the template can be sent. */
export function standing(word: string, reason: string): (Standing & Pick<TemplateState, 'reason'>) | null {
  const found = Object.hasOwn(STATUSES, word) ? STATUSES[word]! : null;
  if (!found) return null;
  const given = reason === '' || reason === 'NONE' ? '' : reason;
  const fine = word === 'APPROVED' || word === 'PENDING' || word === 'REINSTATED' || word === 'UNARCHIVED';
  return { ...found, reason: fine ? '' : given || (word === 'REJECTED' ? '' : word) };
}

function stateOf(found: Json): TemplateState {
  const word = textOf(found.status, 100);
  return {
    external_id: textOf(found.id, 100),
    name: textOf(found.name, 600),
    language: textOf(found.language, 20),
    // An unknown status does not make a template sendable.
    ...(standing(word, textOf(found.rejected_reason, 100)) ?? { ...waiting, reason: word }),
    category: textOf(found.category, 50) || null,
    ...(found.quality_score === undefined ? {} : { quality: qualityOf(objectOf(found.quality_score).score) }),
  };
}

export const qualityOf = (score: unknown): TemplateQuality =>
  (['GREEN', 'YELLOW', 'RED'] as const).find((one) => one === score) ?? null;

async function componentsOf(settings: WhatsAppSettings, draft: TemplateDraft): Promise<Json[]> {
  if (draft.category === 'AUTHENTICATION') return ONE_TIME_CODE;
  const inHeader = findPlaceholders(draft.header ?? '').length;
  const [header, samples] = [draft.samples.slice(0, inHeader), draft.samples.slice(inHeader)];
  const components: Json[] = [];
  if (draft.media) {
    const header_handle = [await handleOf(settings, reviewable(draft.media))];
    components.push({ type: 'HEADER', format: draft.media.type.toUpperCase(), example: { header_handle } });
  } else if (draft.header) {
    const example = header.length > 0 ? { example: { header_text: header } } : {};
    components.push({ type: 'HEADER', format: 'TEXT', text: numbered(draft.header), ...example });
  }
  const example = samples.length > 0 ? { example: { body_text: [samples] } } : {};
  components.push({ type: 'BODY', text: numbered(draft.text), ...example });
  if (draft.footer) components.push({ type: 'FOOTER', text: draft.footer });
  if (draft.buttons.length > 0) components.push({ type: 'BUTTONS', buttons: draft.buttons.map(buttonOf) });
  return components;
}

/** The reviewer sees an uploaded sample file. */
function reviewable(media: OutgoingMedia): OutgoingMedia {
  if (media.open && media.bytes !== null) return media;
  throw new CarrierRefusal('', 'WhatsApp reviews a file of the library, not a link to one');
}

/** WhatsApp writes the text and the button of authentication templates. */
const ONE_TIME_CODE: Json[] = [
  { type: 'BODY', add_security_recommendation: true },
  { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
];

/** `{first_name:there}` becomes `{{1}}`, and so on in order. */
function numbered(text: string): string {
  let out = '';
  let from = 0;
  findPlaceholders(text).forEach(({ tag, index }, at) => {
    out += `${text.slice(from, index)}{{${at + 1}}}`;
    from = index + tag.length;
  });
  return out + text.slice(from);
}

function buttonOf({ type, text, value }: TemplateDraft['buttons'][number]): Json {
  if (type === 'link') return { type: 'URL', text, url: value };
  if (type === 'phone_call') return { type: 'PHONE_NUMBER', text, phone_number: value };
  return { type: 'QUICK_REPLY', text };
}
