/**
 * Opt-in forms of an account. A form is a public page (`doors.ts`) on which people join an audience, after they have
 * entered the code that was sent to their phone (`submissions.ts`).
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { Problem } from '@parley/contract/problem.ts';
import { getAudience, listContactFieldKeys, readAccountCountry } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import type { Config } from '../kernel/settings/config.ts';
import { domainPrefix, hasVerifiedDomain, newCode } from '../links/links.ts';
import * as queries from './queries.ts';

type Links = Pick<Config, 'LINK_URL'>;

export const formUrl = (config: Links, { domain, code }: Pick<queries.FormRow, 'domain' | 'code'>): string =>
  `${domainPrefix(config, domain)}/join/${code}`;

function toForm(config: Links, row: queries.FormRow): contract.OptInForm {
  const { code: _, ...form } = row;
  return { ...form, url: formUrl(config, row) };
}

export async function listOptInForms(
  db: Queryable,
  config: Config,
  { account_id }: Actor,
  query: Parsed<typeof contract.listOptInForms>['query'],
): Promise<Paged<contract.OptInForm>> {
  const page = readPage(query);
  const audience_id = query.filter?.audience_id;
  const [rows, total] = await runTogether(
    queries.listForms(db, account_id, audience_id, page),
    queries.countForms(db, account_id, audience_id),
  );
  return paged(
    page,
    rows.map((row) => toForm(config, row)),
    total,
  );
}

export async function getOptInForm(
  db: Queryable,
  config: Config,
  { account_id }: Actor,
  id: string,
): Promise<contract.OptInForm> {
  const row = await queries.findForm(db, account_id, id);
  if (!row) throw new Problem('OPT_IN_FORM_NOT_FOUND');
  return toForm(config, row);
}

export async function createOptInForm(
  tx: Tx,
  config: Config,
  actor: Actor,
  body: Parsed<typeof contract.createOptInForm>['body'],
): Promise<contract.OptInForm> {
  const { account_id } = actor;
  const audience = await getAudience(tx, actor, body.audience_id);
  if (audience.conditions) throw new Problem('AUDIENCE_IS_DYNAMIC');
  await requireSettings(tx, account_id, body);
  const id = newId();
  const country = body.country ?? (await readAccountCountry(tx, account_id)) ?? 'US';
  await queries.insertForm(tx, { ...body, country, account_id, id, status: 'active', code: newCode() });
  emit(tx, contract.optInFormChanged, account_id, { id, change: 'created' });
  return getOptInForm(tx, config, actor, id);
}

export async function updateOptInForm(
  tx: Tx,
  config: Config,
  actor: Actor,
  id: string,
  body: Parsed<typeof contract.updateOptInForm>['body'],
): Promise<contract.OptInForm> {
  const { account_id } = actor;
  await queries.lockForm(tx, account_id, id);
  const before = await getOptInForm(tx, config, actor, id);
  await requireSettings(tx, account_id, body);
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  await queries.updateForm(tx, { ...before, ...given });
  emit(tx, contract.optInFormChanged, account_id, { id, change: 'updated' });
  return getOptInForm(tx, config, actor, id);
}

export async function removeOptInForm(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if (!(await queries.deleteForm(tx, account_id, id))) throw new Problem('OPT_IN_FORM_NOT_FOUND');
  emit(tx, contract.optInFormChanged, account_id, { id, change: 'removed' });
}

const DAY_MS = 86_400_000;

export async function getOptInFormStat(
  tx: Tx,
  config: Config,
  actor: Actor,
  id: string,
): Promise<contract.OptInFormStat> {
  await getOptInForm(tx, config, actor, id);
  const today = Math.floor(tx.now.getTime() / DAY_MS) * DAY_MS;
  const first = today - (contract.FORM_STAT_DAYS - 1) * DAY_MS;
  const rows = await queries.listFormDays(tx, actor.account_id, id, new Date(first));
  const days = Array.from({ length: contract.FORM_STAT_DAYS }, (_, at) => {
    const date = new Date(first + at * DAY_MS).toISOString().slice(0, 10);
    return rows.find((row) => row.date === date) ?? { date, views: 0, started: 0, confirmed: 0, refused: 0 };
  });
  return { days };
}

type Settings = Parsed<typeof contract.updateOptInForm>['body'];

/** Checks what the schema cannot: the sender, the own fields, and the domain. */
async function requireSettings(db: Queryable, account_id: string, settings: Settings): Promise<void> {
  const { sender_id, fields, domain } = settings;
  if (sender_id !== undefined) {
    const sender = await queries.findSender(db, account_id, sender_id);
    if (sender?.status !== 'available' || !sendsCodes(sender.channel)) throw new Problem('OPT_IN_FORM_SENDER_INVALID');
  }
  const own = fields?.filter(({ key }) => key.startsWith('fields.')) ?? [];
  if (own.length > 0) {
    const keys = new Set((await listContactFieldKeys(db, account_id)).map((key) => `fields.${key}`));
    if (!own.every(({ key }) => keys.has(key))) throw new Problem('OPT_IN_FORM_FIELDS_INVALID');
  }
  if (domain && !(await hasVerifiedDomain(db, account_id, domain)))
    throw new Problem('LINK_DOMAIN_NOT_SUPPORTED', { field: 'domain' });
}

/** The codes have a standard text, which some channels do not send. */
function sendsCodes(channel: string): boolean {
  const name = CHANNELS.find((one) => one === channel);
  return name !== undefined && channelRules(name).verification.template !== 'required';
}
