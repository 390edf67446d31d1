/**
 * Templates: written once, reviewed if the channel requires it, and used by messages, campaigns, and replies. A verdict
 * counts only for its own revision, and only approved templates can be sent (`requireTemplate`). Sent messages keep
 * their text, regardless of what happens to their template.
 */
import type { OptionalTemplateField } from '@parley/contract/channels/channel.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { readButtons } from '@parley/contract/templates/buttons.ts';
import type { FillableTemplate, TemplateDraft } from '@parley/contract/templates/draft.ts';
import { templateFindings, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import * as contract from '@parley/contract/templates/templates.ts';
import type { z } from 'zod';
import { announceRequest } from '../accounts/accounts.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import { releaseMedia, requireMedia, useMedia } from '../media/media.ts';
import { resolveSender } from '../senders/senders.ts';
import { announceTemplate } from './announce.ts';
import { removeJob, submitJob } from './carrier_review.ts';
import type { StoredFields, TemplateRow } from './queries.ts';
import * as queries from './queries.ts';
import { requireUniqueName } from './same_name.ts';

export { templateChecks } from './check.ts';
export { takeTemplateNotices } from './notices.ts';
export { decideTemplate, readTemplateRequest } from './operator_review.ts';

type Input = Partial<Parsed<typeof contract.updateTemplate>['body']>;

export async function listTemplates(
  db: Queryable,
  account_id: string,
  query: Parsed<typeof contract.listTemplates>['query'],
): Promise<Paged<Template>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const rows = await queries.listTemplateRows(db, account_id, filter, page);
  return paged(page, rows.map(queries.toTemplate), await queries.countTemplates(db, account_id, filter));
}

export async function getTemplate(
  db: Queryable,
  account_id: string,
  id: string,
): Promise<z.input<typeof contract.getTemplate.output>> {
  const row = await queries.findTemplate(db, account_id, id);
  if (!row) throw new Problem('TEMPLATE_NOT_FOUND');
  const used_in = await queries.listUses(db, account_id, id);
  return { ...queries.toTemplate(row), used_in, sent_count: await queries.countSent(db, account_id, id) };
}

export async function createTemplate(
  ctx: Ctx,
  body: Parsed<typeof contract.createTemplate>['body'],
): Promise<Template> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const { channel, ...input } = body;
  const id = newId();
  const { stored } = await read(tx, account_id, channel, input, null);
  await requireUniqueName(tx, account_id, id, stored);
  const written = await queries.insertTemplate(tx, { ...stored, account_id, id, channel, user_id: actor.user_id });
  if (written === 0) throw new Problem('TEMPLATE_EXISTS');
  if (stored.media_id) await useMedia(tx, account_id, stored.media_id, `template:${id}`);
  await sendForReview(tx, account_id, id, channel, 1);
  record(tx, ctx, {
    action: 'template.created',
    target: { type: 'template', id, name: stored.name },
    detail: { channel },
  });
  return announceTemplate(tx, account_id, id, contract.templateCreated);
}

/**
 * Saving an approved template without changes does not start another review. Throws TEMPLATE_UNDER_REVIEW if the
 * template is under review.
 */
export async function updateTemplate(ctx: Ctx, id: string, input: Input): Promise<Template> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const before = await queries.lockTemplate(tx, account_id, id);
  if (!before) throw new Problem('TEMPLATE_NOT_FOUND');
  if (before.status === 'IN_PROCESS') throw new Problem('TEMPLATE_UNDER_REVIEW');
  const { channel } = before;
  const { stored } = await read(tx, account_id, channel, input, before);
  if (before.status === 'COMPLETED' && isSame(stored, before)) return queries.toTemplate(before);
  const { review } = channelRules(channel).templates;
  if (before.external_id && review === 'carrier') requireSameCarrierKey(stored, before);
  else await requireUniqueName(tx, account_id, id, stored);
  const changed = { ...stored, keeps_external_id: review !== 'operator' };
  await queries.updateTemplate(tx, account_id, id, changed).catch((error) => {
    throw violates(error, 'templates_named') ? new Problem('TEMPLATE_EXISTS') : error;
  });
  if (stored.media_id !== before.media_id) {
    await releaseMedia(tx, account_id, `template:${id}`);
    if (stored.media_id) await useMedia(tx, account_id, stored.media_id, `template:${id}`);
  }
  await sendForReview(tx, account_id, id, channel, before.revision + 1);
  record(tx, ctx, {
    action: 'template.updated',
    target: { type: 'template', id, name: stored.name },
    detail: { channel },
  });
  return announceTemplate(tx, account_id, id);
}

/** Throws TEMPLATE_IN_USE if a campaign that has not ended uses it. */
export async function removeTemplate(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const row = await queries.lockTemplate(tx, account_id, id);
  if (!row) throw new Problem('TEMPLATE_NOT_FOUND');
  if (row.status === 'IN_PROCESS') throw new Problem('TEMPLATE_UNDER_REVIEW');
  if ((await queries.listUses(tx, account_id, id)).length > 0) throw new Problem('TEMPLATE_IN_USE');
  await queries.setRemoved(tx, account_id, id);
  await releaseMedia(tx, account_id, `template:${id}`);
  if (channelRules(row.channel).templates.review === 'carrier' && row.external_id)
    await enqueue(tx, removeJob, { account_id, id });
  record(tx, ctx, { action: 'template.removed', target: { type: 'template', id, name: row.name } });
  emit(tx, contract.templateRemoved, account_id, { id, account_id });
}

async function sendForReview(tx: Tx, account_id: string, id: string, channel: ChannelName, revision: number) {
  const { review } = channelRules(channel).templates;
  if (review === 'carrier') await enqueue(tx, submitJob, { account_id, id, revision });
  if (review === 'operator') await announceRequest(tx, 'template', id);
}

/**
 * Omitted fields keep their values. Fields that the channel or the type does not have are dropped. The first problem
 * contains all others.
 */
async function read(
  tx: Tx,
  account_id: string,
  channel: ChannelName,
  input: Input,
  before: TemplateRow | null,
): Promise<{ stored: StoredFields }> {
  const type = input.type ?? before?.type ?? 'text';
  const { fields, review } = channelRules(channel).templates;
  const has = (field: OptionalTemplateField): boolean => fields.includes(field);
  const linked = input.url !== undefined && input.url !== null && input.url !== '' && !input.media_id;
  const media_id = type === 'text' || linked ? null : keepUnlessGiven(input.media_id, before?.media_id);
  const buttons = givesButtons(input) ? readButtons(input) : (before?.buttons ?? []);
  if (!buttons) throw new Problem('BUTTON_VALUE_INVALID', { field: 'button_type' });
  const filename = input.filename === undefined ? input.file_name : input.filename;
  const draft: TemplateDraft = {
    channel,
    name: (input.name ?? before?.name ?? '').trim(),
    // Blank lines at both ends are not part of the text.
    text: (input.text ?? before?.text ?? '').trim(),
    type,
    media_id,
    url: type === 'text' || media_id ? null : keepUnlessGiven(input.url, before?.url),
    filename: type === 'document' ? keepUnlessGiven(filename, before?.filename) : null,
    header: has('header') ? keepUnlessGiven(input.header, before?.header) : null,
    footer: has('footer') ? keepUnlessGiven(input.footer, before?.footer) : null,
    buttons: buttons.map((button) => ({ ...button, value: button.value.trim() })),
    wa_category: has('wa_category') ? keepUnlessGiven(input.wa_category, before?.wa_category) : null,
    wa_sender_code: has('wa_sender_code') ? keepUnlessGiven(input.wa_sender_code, before?.wa_sender_code) : null,
    samples: has('samples') ? (input.samples ?? before?.samples ?? []) : [],
  };
  requireValid(draft);
  if (media_id && type !== 'text' && media_id !== before?.media_id)
    await requireMedia(tx, account_id, media_id, { type, channel });
  const { channel: _, wa_sender_code, ...rest } = draft;
  return {
    stored: {
      ...rest,
      samples: draft.samples.slice(0, templatePlaceholders(draft).length),
      sender_id: wa_sender_code ? await findSenderId(tx, account_id, channel, wa_sender_code, before) : null,
      language: input.language ?? before?.language ?? 'en',
      status: review === 'none' ? 'COMPLETED' : 'IN_PROCESS',
    },
  };
}

const keepUnlessGiven = <T>(input: T | null | undefined, before: T | null | undefined): T | null =>
  input === undefined ? (before ?? null) : input === '' ? null : input;

const givesButtons = ({ buttons, button, button_type, button_text, button_value }: Input): boolean =>
  [buttons, button, button_type, button_text, button_value].some((part) => part !== undefined);

function requireValid(draft: TemplateDraft): void {
  const [first, ...others] = templateFindings(draft);
  if (first) throw new Problem(first.code, { field: first.field, message: first.message, others });
}

async function findSenderId(
  tx: Tx,
  account_id: string,
  channel: ChannelName,
  code: string,
  before: TemplateRow | null,
): Promise<string> {
  if (before?.sender_id && before.wa_sender_code === code) return before.sender_id;
  try {
    return (await resolveSender(tx, account_id, channel, code)).id;
  } catch (error) {
    if (error instanceof Problem) throw new Problem('MESSAGE_SENDER_NOT_FOUND', { field: 'wa_sender_code' });
    throw error;
  }
}

const CARRIER_KEY = ['name', 'language', 'sender_id'] as const;
function requireSameCarrierKey(stored: StoredFields, before: TemplateRow): void {
  const changedField = CARRIER_KEY.find((field) => stored[field] !== before[field]);
  if (!changedField) return;
  const field = changedField === 'sender_id' ? 'wa_sender_code' : changedField;
  const { label } = channelRules(before.channel);
  const message =
    `The name, language, and sender cannot be changed after the first submission to ${label}. ` +
    'Copy the template to change them.';
  throw new Problem('TEMPLATE_NAME_INVALID', { field, message });
}

const COMPARED = [
  ...['name', 'text', 'type', 'media_id', 'url', 'filename', 'header', 'footer', 'buttons', 'wa_category'],
  ...['sender_id', 'language', 'samples'],
] as readonly (keyof StoredFields)[];
// Sorted by name, because the database returns a button's fields in a different order.
const written = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner) ? Object.entries(inner).sort() : inner,
  );
const isSame = (stored: StoredFields, before: TemplateRow): boolean =>
  COMPARED.every((field) => written(stored[field]) === written(before[field]));

const pausedText = ({ channel, disabled, reason }: TemplateRow): string =>
  `The template is ${disabled ? 'disabled' : 'paused'}: ` +
  (reason?.text ?? `${channelRules(channel).label} is not sending it now.`);

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns a template that can be sent now from this sender. Throws MESSAGE_TEMPLATE_ID_INVALID (no id),
 * MESSAGE_TEMPLATE_NOT_FOUND (unknown), TEMPLATE_CHANNEL_MISMATCH (another channel), VIBER_TEMPLATE_NOT_APPROVED or
 * TEMPLATE_NOT_APPROVED (not approved), TEMPLATE_NOT_APPROVED (the sender belongs to another business account),
 * TEMPLATE_PAUSED, or TEMPLATE_DISABLED.
 */
export async function requireTemplate(
  db: Queryable,
  account_id: string,
  id: string,
  channel: ChannelName,
  sender: { id: string },
): Promise<FillableTemplate> {
  if (!ID.test(id)) throw new Problem('MESSAGE_TEMPLATE_ID_INVALID');
  const row = await queries.findTemplate(db, account_id, id);
  if (!row) throw new Problem('MESSAGE_TEMPLATE_NOT_FOUND');
  if (row.channel !== channel) throw new Problem('TEMPLATE_CHANNEL_MISMATCH', { field: 'template' });
  const { label, templates } = channelRules(channel);
  const { review } = templates;
  if (row.status !== 'COMPLETED')
    throw review === 'operator' ? new Problem('VIBER_TEMPLATE_NOT_APPROVED') : new Problem('TEMPLATE_NOT_APPROVED');
  if (row.paused)
    throw new Problem(row.disabled ? 'TEMPLATE_DISABLED' : 'TEMPLATE_PAUSED', { message: pausedText(row) });
  if (
    review === 'carrier' &&
    row.sender_id !== sender.id &&
    !(await queries.shareConnection(db, account_id, row, sender.id))
  )
    throw new Problem('TEMPLATE_NOT_APPROVED', { message: `The template belongs to another ${label} sender` });
  return row;
}
