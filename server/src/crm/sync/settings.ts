/** The settings of the contact sync. They are checked against the fields of the CRM before they are stored. */
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { type CrmName, crmChanged } from '@parley/contract/crm/crm.ts';
import type * as contract from '@parley/contract/crm/sync.ts';
import {
  CRM_PERSON_FIELDS,
  type CrmField,
  type CrmSync,
  type CrmSyncError,
  type CrmSyncSettings,
} from '@parley/contract/crm/sync.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { listFields as listOwnFields } from '../../audiences/audiences.ts';
import { type Queryable, runTogether, sql, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { callAsAny, requireConnection, toCallProblem } from '../access.ts';
import { label, provider } from '../apps.ts';
import type { FieldDefinition } from '../providers/provider.ts';
import type { SyncKey, SyncRow } from './queries.ts';
import * as queries from './queries.ts';

type Counts = 'provider' | 'linked_count' | 'failed_count' | 'waiting_count' | 'hold_date';
const DEFAULTS: Omit<CrmSync, Counts> = {
  is_on: false,
  direction: 'both',
  rule: 'newest',
  audience_id: null,
  fields: [],
  consents: [],
  opt_out: null,
  stage: 'idle',
  processed_count: 0,
  sync_date: null,
  full_date: null,
  last_error: null,
};

export async function getSync(
  db: Queryable,
  { account_id }: Pick<Actor, 'account_id'>,
  name: CrmName,
): Promise<CrmSync> {
  await requireConnection(db, account_id, name);
  const key = { account_id, provider: name };
  const [row, counts] = await runTogether(queries.findSync(db, key), queries.syncCounts(db, key));
  const { is_on, direction, rule, audience_id, fields, consents, opt_out, ...state } = row ?? DEFAULTS;
  const { stage, processed_count, sync_date, full_date, last_error } = state;
  const settings = { is_on, direction, rule, audience_id, fields, consents, opt_out };
  return { provider: name, ...settings, stage, processed_count, sync_date, full_date, last_error, ...counts };
}

export async function listFields({ kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>, name: CrmName): Promise<CrmField[]> {
  const call = await callAsAny(kernel, actor.account_id, name);
  const fields = await provider(name).fields(call).catch(toCallProblem);
  return fields.map(({ key, label, choices, is_writable }) => {
    return { key, label, is_writable, choices: choices.map((choice) => choice.label) };
  });
}

/** Throws the problem of the first setting that does not fit. */
export async function checkSettings(
  db: Queryable,
  account_id: string,
  settings: CrmSyncSettings,
  definitions: readonly FieldDefinition[],
): Promise<void> {
  const audience = await db.maybeOne<{ dynamic: boolean }>(sql`
    select conditions is not null as dynamic from audiences
    where account_id = ${account_id} and id = ${settings.audience_id}`);
  if (!audience || audience.dynamic) throw new Problem('CRM_SYNC_AUDIENCE_INVALID');
  const known = new Map(definitions.map((field) => [field.key, field]));
  checkFields(settings, known, await listOwnFields(db, account_id));
  const places = settings.consents.map(({ channel, purpose }) => `${channel} ${purpose}`);
  if (new Set(places).size < places.length) throw new Problem('CRM_SYNC_CONSENT_INVALID');
  for (const map of settings.consents)
    if (map.no === '' || !isChoice(known.get(map.crm), map)) throw new Problem('CRM_SYNC_CONSENT_INVALID');
  if (settings.opt_out && !isChoice(known.get(settings.opt_out.crm), settings.opt_out))
    throw new Problem('CRM_SYNC_CONSENT_INVALID', { field: 'opt_out' });
}

function checkFields(
  { fields }: CrmSyncSettings,
  known: ReadonlyMap<string, FieldDefinition>,
  own: readonly ContactField[],
): void {
  const targets: readonly string[] = [...CRM_PERSON_FIELDS, ...own.map(({ key }) => `fields.${key}`)];
  const isUnique = (keys: string[]) => new Set(keys).size === keys.length;
  const isValid =
    fields.every(({ crm, parley }) => known.has(crm) && targets.includes(parley)) &&
    isUnique(fields.map(({ crm }) => crm)) &&
    isUnique(fields.map(({ parley }) => parley));
  if (!isValid) throw new Problem('CRM_SYNC_FIELD_INVALID');
}

/** Two different values, which the CRM offers if the field is a choice. */
function isChoice(field: FieldDefinition | undefined, { yes, no }: { yes: string; no: string }): boolean {
  if (!field || yes.toLowerCase() === no.toLowerCase()) return false;
  const offered = field.choices.map((choice) => choice.label.toLowerCase());
  return offered.length === 0 || [yes, no].every((text) => text === '' || offered.includes(text.toLowerCase()));
}

export async function updateSync(
  ctx: Ctx,
  name: CrmName,
  { is_on, ...settings }: Parsed<typeof contract.updateCrmSync>['body'],
): Promise<CrmSync> {
  const { kernel, actor } = ctx;
  const { account_id } = actor;
  await requireConnection(kernel.db, account_id, name);
  // A sync can be turned off while the CRM does not respond.
  if (is_on) {
    const call = await callAsAny(kernel, account_id, name);
    await checkSettings(kernel.db, account_id, settings, await provider(name).fields(call).catch(toCallProblem));
  }
  return kernel.db.tx(async (tx) => {
    const key = { account_id, provider: name };
    await queries.insertSync(tx, key);
    const before = (await queries.lockSync(tx, key))!;
    await queries.updateSettings(tx, { ...key, ...settings, is_on });
    if (before.audience_id !== settings.audience_id) await queries.forgetLinks(tx, key);
    if (is_on && (!before.is_on || isChanged(before, settings))) await queries.startFull(tx, key);
    record(tx, ctx, {
      action: 'crm.sync_changed',
      target: { type: 'crm', id: name, name: label(name) },
      detail: { state: is_on ? 'on' : 'off', direction: settings.direction, rule: settings.rule },
    });
    emit(tx, crmChanged, account_id, { provider: name });
    return getSync(tx, actor, name);
  });
}

/** Only the settings that affect the synced data. */
function isChanged(before: SyncRow, settings: CrmSyncSettings): boolean {
  const read = ({ direction, audience_id, fields, consents, opt_out }: SyncRow | CrmSyncSettings) => {
    const maps = fields.map(({ crm, parley }) => [crm, parley]);
    const agreed = consents.map(({ crm, yes, no, channel, purpose }) => [crm, yes, no, channel, purpose]);
    return JSON.stringify([direction, audience_id, maps, agreed, opt_out && [opt_out.crm, opt_out.yes, opt_out.no]]);
  };
  return read(before) !== read(settings);
}

async function requireOn(tx: Tx, account_id: string, name: CrmName): Promise<SyncKey> {
  await requireConnection(tx, account_id, name);
  const key = { account_id, provider: name };
  if (!(await queries.lockSync(tx, key))?.is_on) throw new Problem('CRM_SYNC_OFF');
  return key;
}

export async function startSync(tx: Tx, actor: Actor, name: CrmName): Promise<CrmSync> {
  await queries.startFull(tx, await requireOn(tx, actor.account_id, name));
  emit(tx, crmChanged, actor.account_id, { provider: name });
  return getSync(tx, actor, name);
}

export async function listErrors(
  db: Queryable,
  { account_id }: Actor,
  name: CrmName,
  query: Parameters<typeof readPage>[0],
): Promise<Paged<CrmSyncError>> {
  await requireConnection(db, account_id, name);
  const page = readPage(query);
  const key = { account_id, provider: name };
  const [rows, total] = await runTogether(queries.listFailedLinks(db, key, page), queries.countFailed(db, key));
  return paged(page, rows, total);
}

export async function retry(
  tx: Tx,
  { account_id }: Actor,
  name: CrmName,
  id: string | null,
): Promise<{ retried_count: number }> {
  const retried_count = await queries.retryLinks(tx, await requireOn(tx, account_id, name), id);
  emit(tx, crmChanged, account_id, { provider: name });
  return { retried_count };
}

/** A person has connected again, so the sync need not wait any longer. */
export const resumeSync = (tx: Tx, { account_id, provider }: SyncKey) =>
  tx.run(sql`
    update crm_syncs set next_date = ${tx.now}, hold_date = ${tx.now}
    where account_id = ${account_id} and provider = ${provider}`);
