/**
 * Assistance in the inbox: the language model that operators set up, and the settings and the log of each account. A
 * request costs at most what the account may still spend in the month.
 */
import type {
  AssistanceProvider,
  AssistanceRequest,
  AssistanceSettings,
} from '@parley/contract/assistance/assistance.ts';
import * as contract from '@parley/contract/assistance/assistance.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { OutboundError } from '../kernel/http/outbound.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { complete, KEY_PLACE, ModelError, outbound } from './model.ts';
import * as queries from './queries.ts';

const DEFAULTS: queries.SettingsRow = {
  enabled: false,
  masks_personal_data: true,
  monthly_cap_micros: null,
  retention_days: 30,
};

const presentProvider = ({ api_key, ...row }: queries.ProviderRow): AssistanceProvider => ({
  ...row,
  has_key: api_key !== null,
});

export async function getProvider(db: Queryable): Promise<AssistanceProvider | null> {
  const row = await queries.findProvider(db);
  return row && presentProvider(row);
}

/** A stored key is never sent to a host other than the one it was entered for. */
export async function updateProvider(
  ctx: Ctx,
  { api_key, ...body }: Parsed<typeof contract.updateAssistanceProvider>['body'],
): Promise<AssistanceProvider> {
  const { kernel, actor } = ctx;
  await outbound(kernel.config)
    .check(body.url)
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      throw new Problem('ASSISTANCE_URL_INVALID', { message: error.message });
    });
  return kernel.db.tx(async (tx) => {
    const before = await queries.findProvider(tx);
    const isSameHost = before !== null && new URL(before.url).origin === new URL(body.url).origin;
    const kept = isSameHost ? before.api_key : null;
    const key = api_key === undefined ? kept : api_key && kernel.seals.seal(api_key, KEY_PLACE);
    const row = { ...body, api_key: key };
    await queries.putProvider(tx, row);
    const { url, model, enabled } = body;
    record(tx, ctx, {
      action: 'assistance_provider.updated',
      target: { type: 'assistance_provider', id: 'provider', name: model },
      detail: { url, model, enabled, key_changed: api_key !== undefined },
    });
    emit(tx, contract.assistanceProviderChanged, actor.account_id, { enabled });
    return presentProvider(row);
  });
}

/** Uses the stored settings, even if they are turned off. */
export async function testProvider({ kernel }: Ctx) {
  const row = await queries.findProvider(kernel.db);
  if (!row) throw new Problem('ASSISTANCE_NOT_CONFIGURED');
  const start = performance.now();
  const system = 'Task: suggest\nReply to the last message in one short sentence.';
  const user = JSON.stringify({ conversation: [{ from: 'contact', text: 'Hello, when do you open tomorrow?' }] });
  const done = (ok: boolean, text: string, usage: { input: number; output: number } | null = null) => ({
    ok,
    text: text.slice(0, 300),
    duration_ms: Math.round(performance.now() - start),
    input_tokens: usage?.input ?? 0,
    output_tokens: usage?.output ?? 0,
  });
  try {
    const { signal } = new AbortController();
    const { text, usage } = await complete(kernel, row, { system, user, max_tokens: 100 }, { signal, onText() {} });
    return done(true, text.trim(), usage);
  } catch (error) {
    if (error instanceof ModelError) return done(false, error.message);
    throw error;
  }
}

/** The settings of an account with the limit that applies to it. */
export async function readSettings(db: Queryable, account_id: string) {
  const [provider, stored] = await runTogether(queries.findProvider(db), queries.findSettings(db, account_id));
  const settings = stored ?? DEFAULTS;
  const available = provider?.enabled === true;
  const cap_micros = Math.min(
    provider?.account_cap_micros ?? 0,
    settings.monthly_cap_micros ?? Number.POSITIVE_INFINITY,
  );
  return { provider: available ? provider : null, settings, cap_micros };
}

export async function getSettings(db: Queryable, { account_id }: Actor, now: Date): Promise<AssistanceSettings> {
  const { provider, settings, cap_micros } = await readSettings(db, account_id);
  return {
    ...settings,
    available: provider !== null,
    cap_micros,
    used_micros: await queries.readSpend(db, account_id, now),
    host: provider && new URL(provider.url).host,
    model: provider?.model ?? null,
  };
}

export async function updateSettings(
  tx: Tx,
  ctx: Ctx,
  change: Parsed<typeof contract.updateAssistanceSettings>['body'],
): Promise<AssistanceSettings> {
  const { actor } = ctx;
  await requireOwner(tx, actor, 'Only the owner can change the assistance settings');
  const { provider, settings: before } = await readSettings(tx, actor.account_id);
  if (change.enabled && !provider) throw new Problem('ASSISTANCE_NOT_CONFIGURED');
  const {
    enabled = before.enabled,
    masks_personal_data = before.masks_personal_data,
    monthly_cap_micros = before.monthly_cap_micros,
    retention_days = before.retention_days,
  } = change;
  const row = { enabled, masks_personal_data, monthly_cap_micros, retention_days };
  await queries.putSettings(tx, actor.account_id, row);
  record(tx, ctx, {
    action: 'assistance.updated',
    target: { type: 'assistance', id: actor.account_id, name: 'Assistance' },
    detail: row,
  });
  emit(tx, contract.assistanceChanged, actor.account_id, { enabled: row.enabled });
  return getSettings(tx, actor, tx.now);
}

/** The log contains texts of all conversations, which other users may not be able to view. */
export async function listRequests(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof contract.listAssistanceRequests>['query'],
): Promise<Paged<AssistanceRequest>> {
  await requireOwner(db, actor, 'Only the owner can see the log of assistance');
  const page = readPage(query);
  const filter = { account_id: actor.account_id, ...query.filter };
  const [rows, total] = await runTogether(queries.listRequestRows(db, filter, page), queries.countRequests(db, filter));
  return paged(page, rows, total, ({ id }) => id);
}

async function requireOwner(db: Queryable, { account_id, user_id }: Actor, message: string): Promise<void> {
  if (user_id === null || !(await queries.isOwner(db, account_id, user_id)))
    throw new Problem('PERMISSION_REQUIRED', { message });
}
