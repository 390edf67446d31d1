/**
 * Simulates the users and recipients of a small account: they open every page of the API with every filter and order,
 * send, receive, run a campaign, and import contacts.
 */
import { settle } from '../../guard/pumping/settle.ts';
import { detectAccountAnomalies } from '../../insights/anomalies.ts';
import { sql } from '../../kernel/db/db.ts';
import { judgeConnections } from '../../messages/routing/connection_health.ts';
import { type Carrier, openCarrier } from '../carrier.ts';
import { makeMedia } from '../chat.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from '../make.ts';
import { readOperations } from '../openapi/read_operations.ts';
import { connectProvider, listProviders } from '../peers/sandbox_providers.ts';
import { makeSenderRequest } from '../senders.ts';
import { makeSmppCustomer, type SmppCustomer } from '../smpp/customer.ts';
import { makeInvitation } from '../team.ts';
import { makeTemplate } from '../templates.ts';
import { type Caller, until, type World } from '../world.ts';
import { useSmpp } from './smpp_use.ts';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  format?: string;
  pattern?: string;
  examples?: unknown[];
}
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema }[];
}
interface Call {
  path: string;
  parameters: { name: string; schema: Schema }[];
}

export interface SmallAccount extends Company {
  caller: Caller;
  carrier: Carrier;
  smpp: SmppCustomer;
  code: string;
  sender_id: string;
  audience_id: string;
  calls: Call[];
  /** IDs for the paths, by resource. */
  ids: Record<string, string>;
}

const PERSON = '447400000301';
/** Reached through an SMS provider over HTTP, with the routes of this prefix. */
const PROVIDER_PERSON = '447410000301';
const PROVIDER_PREFIX = '447410';
/** Not part of an account's own data, or a stream that never ends. */
const SKIPPED = new Set(['events.stream']);

export async function makeSmallAccount(world: World): Promise<SmallAccount> {
  const { kernel } = world;
  const company = await makeCompany(kernel);
  const carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 5, receipt_jitter_ms: 5 });
  await makeCarrier(kernel, { port: world.sandbox!.smpp, countries: ['GB'] });
  await connectProviders(world);
  const { sender_id, code } = await makeSender(kernel, company.account_id);
  const audience_id = await makeAudience(kernel, company.account_id, [
    { number: '447400000302', first_name: 'Ann', last_name: 'Lee' },
    { number: '447400000303', first_name: 'Bea' },
  ]);
  const caller = world.as(company.token);
  const contacts = await caller.get(`/v1/audiences/${audience_id}/contacts`);
  await makeInvitation(kernel, company);
  await world.as({ key: await makeKey(kernel, company.account_id) }).get('/v1/senders');
  await until('the request is in the log', async () =>
    Boolean(await kernel.db.maybeOne(sql`select from api_requests where account_id = ${company.account_id}`)),
  );
  const { body } = await world.as().get('/v1/openapi.json');
  const calls = readOperations<Operation>(body)
    .filter(({ method, operation }) => method === 'GET' && !SKIPPED.has(operation.operationId))
    .map(({ path, operation }) => ({
      path,
      parameters: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
    }));
  const smpp = await makeSmppCustomer(world, company);
  const ids = {
    senders: sender_id,
    audiences: audience_id,
    contacts: contacts.body.data[0].id,
    people: contacts.body.data[0].person_id,
    balances: company.account_id,
    accounts: company.account_id,
    users: company.user_id,
    media: await makeMedia(kernel, company.account_id, { type: 'image', name: 'a.png', content_type: 'image/png' }),
    templates: await makeTemplate(kernel, company.account_id),
    requests: await makeSenderRequest(kernel, company.account_id),
    smpp_accounts: smpp.account.id,
  };
  return { ...company, caller, carrier, smpp, code, sender_id, audience_id, calls, ids };
}

/** Two connections share a prefix by percentage. Both have a daily limit. */
async function connectProviders(world: World): Promise<void> {
  for (const [index, provider] of (await listProviders(world.sandbox!)).slice(0, 2).entries())
    await connectProvider(world, provider, {
      ...{ origin: world.sandbox!.url, prefix: PROVIDER_PREFIX, percentage: index === 0 ? 50 : null },
      settings: { daily_limit: 100_000 },
    });
}

export async function useProduct(world: World, small: SmallAccount, round: number): Promise<void> {
  await small.caller.put('/v1/accounts/self', { frequency_cap: { per_day: 1_000, per_week: 1_000 } });
  await sendAndReceive(world, small, round);
  await useProvider(world, small, round);
  await useSmpp(world, small.smpp, small.code, PERSON);
  await runCampaign(small, round);
  await letContactsWait(world, small, round);
  await declineCampaign(world, small, round);
  await importContacts(small, round);
  await changeThings(small, round);
  await compareHours(world, small, round);
  await readEverything(small);
}

async function sendAndReceive(world: World, small: SmallAccount, round: number): Promise<void> {
  const { caller, carrier, code, ids } = small;
  const { body } = await caller.post('/v1/messages', { from: code, to: [PERSON], channel: 'SMS', text: `Hi ${round}` });
  ids.messages = body.data[0].id;
  const status = async () => (await caller.get(`/v1/messages/${ids.messages}`)).body.data.status;
  await until('the message is delivered', async () => (await status()) === 'delivered');
  const text = `Thanks ${round}`;
  await makeRule(small, round);
  await carrier.write(PERSON, code, text);
  const conversation = async () => (await caller.get('/v1/conversations')).body.data[0];
  await until('the reply arrives', async () => (await conversation())?.last_message?.text === text);
  ids.conversations = (await conversation()).id;
  await until('the rule assigns', async () => (await conversation()).assignee_id === small.user_id);
  await caller.put(`/v1/conversations/${ids.conversations}`, { assignee_id: small.user_id });
  await caller.put(`/v1/conversations/${ids.conversations}`, { last_read_timestamp: '2030-01-01 00:00:00' });
  await caller.post(`/v1/conversations/${ids.conversations}/notes`, { text: 'Call back', mentions: [small.user_id] });
  await caller.post('/v1/messages', { conversation_id: ids.conversations, text: 'You are welcome' });
  await caller.put(`/v1/conversations/${ids.conversations}`, { assignee_id: null, status: 'closed' });
  await carrier.write('447400000304', code, 'STOP');
  const stops = async () => (await caller.get('/v1/stop_list')).body.data.length;
  await until('the person is on the stop list', async () => (await stops()) > 0);
  await until('nothing is queued', async () => (await world.kernel.db.rows(sql`select from dispatch`)).length === 0);
}

/** Routes by percentage, counts the daily use, receives a callback with a receipt and one with a reply, and judges. */
async function useProvider(world: World, { caller, carrier, code }: SmallAccount, round: number): Promise<void> {
  const message = { from: code, to: [PROVIDER_PERSON], channel: 'SMS', text: `Hello ${round}` };
  const { id } = (await caller.post('/v1/messages', message)).body.data[0];
  const status = async () => (await caller.get(`/v1/messages/${id}`)).body.data.status;
  await until('the message is delivered through the provider', async () => (await status()) === 'delivered');
  await carrier.write(PROVIDER_PERSON, code, `Received ${round}`);
  const replies = async () => (await caller.get(`/v1/messages?filter[from]=${PROVIDER_PERSON}`)).body.data;
  await until('the reply arrives through the provider', async () => (await replies()).length >= round);
  await judgeConnections(world.kernel.db);
}

async function makeRule({ caller, user_id }: SmallAccount, round: number): Promise<void> {
  const team = await caller.post('/v1/inbox_teams', { name: `Team ${round}`, user_ids: [user_id] });
  const conditions = { texts: ['thanks'] };
  const assign = { team_id: team.body.data.id, method: 'least_busy' };
  await caller.post('/v1/inbox_rules', { name: `Rule ${round}`, enabled: true, conditions, actions: { assign } });
  await caller.post('/v1/inbox_rule_tests', { conditions });
  // The clocks of all open conversations are computed again.
  await caller.put('/v1/inbox_settings', { response_target_minutes: 600, resolution_target_minutes: 1_200 + round });
  await caller.get('/v1/conversations?filter[due]=soon');
  await caller.get('/v1/assistance_settings');
  await caller.get('/v1/assistance_requests');
  await caller.post('/v1/keywords', { words: [`menu ${round}`], reply: 'Soup', match: 'contains' });
}

async function runCampaign({ caller, sender_id, audience_id, ids }: SmallAccount, round: number): Promise<void> {
  const draft = {
    name: `Sale ${round}`,
    channel: 'SMS',
    from: sender_id,
    audience: audience_id,
    text: 'Hi {first_name}',
  };
  ids.campaigns = (await caller.post('/v1/campaigns', { ...draft, start: true })).body.data.id;
  const read = async () => (await caller.get(`/v1/campaigns/${ids.campaigns}`)).body.data.status;
  await until('the campaign is complete', async () => (await read()) === 'completed');
}

/** Contacts waiting for a delivery window. When their time comes, the window is closed, and they wait again. */
async function letContactsWait(world: World, small: SmallAccount, round: number): Promise<void> {
  const { caller, account_id, sender_id: from, audience_id: audience } = small;
  const inThreeDays = ((new Date().getUTCDay() + 2) % 7) + 1;
  const timing = { windows: [{ days: [inThreeDays], from: '09:00', until: '10:00' }] };
  const draft = { name: `Later ${round}`, from, audience, text: 'Hi', timing };
  const { id } = (await caller.post('/v1/campaigns', draft)).body.data;
  const waits = async () => (await caller.get(`/v1/campaigns/${id}`)).body.data.waits as { until: string }[];
  await until('the contacts wait', async () => (await waits()).length > 0);
  const [first] = await waits();
  await world.kernel.db.tx(async (tx) => {
    const key = { account_id, id };
    await tx.run(sql`select from campaigns where account_id = ${account_id} and id = ${id} for update`);
    await tx.run(sql`
      update campaign_waits set not_before = date_trunc('second', now()) - interval '1 minute'
      where account_id = ${key.account_id} and campaign_id = ${key.id}`);
    await tx.run(sql`
      update campaigns set fanout_date = null, waits = (
        select jsonb_build_object(
          to_char(min(not_before) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), count(*))
        from campaign_waits where account_id = ${key.account_id} and campaign_id = ${key.id})
      where account_id = ${key.account_id} and id = ${key.id}`);
  });
  await until('the contacts wait again', async () => (await waits())[0]?.until === first!.until);
  await caller.put(`/v1/campaigns/${id}`, { status: 'canceled' });
}

/** A campaign that another user must approve. */
async function declineCampaign(world: World, small: SmallAccount, round: number): Promise<void> {
  const { caller, account_id, sender_id: from, audience_id: audience } = small;
  const { token } = await makeUser(world.kernel, account_id, { permissions: { CAMPAIGNS: 7 } });
  await caller.put('/v1/accounts/self', { campaign_approval: { recipients: 0 } });
  const draft = { name: `Large ${round}`, from, audience, text: 'Hi', tags: ['Large'] };
  const { id, approval } = (await caller.post('/v1/campaigns', draft)).body.data;
  const decision = { approval_id: approval.id, decision: 'declined', reason: 'Too large' };
  await world.as(token).post(`/v1/campaigns/${id}/approvals`, decision);
  await caller.put('/v1/accounts/self', { campaign_approval: null });
}

const HOUR_MS = 3_600_000;
/** A time before the weeks with which an hour is compared. */
const ACCOUNT_AGE_DAYS = 60;

/** Compares the hours of the messages sent so far with the same hours of previous weeks. */
async function compareHours({ kernel }: World, { account_id, caller }: SmallAccount, round: number): Promise<void> {
  await kernel.db.run(sql`
    update accounts set create_date = now() - make_interval(days => ${ACCOUNT_AGE_DAYS}) where id = ${account_id}`);
  const { account_id: _, ...alerts } = (await caller.get('/v1/anomaly_alerts')).body.data;
  await caller.put('/v1/anomaly_alerts', { ...alerts, enabled: true });
  await detectAccountAnomalies(kernel, account_id, new Date(Date.now() + (1 + round) * HOUR_MS));
  const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString();
  await settle(kernel.db, { account_id, hour });
}

async function importContacts({ caller, ids }: SmallAccount, round: number): Promise<void> {
  const file = { name: 'a.csv', bytes: 'Number,First name\n447400000305,Carl\n447400000306,Dora\n' };
  const reply = await caller.upload('/v1/audience_imports', { name: `Imported ${round}`, start: 'true' }, file);
  ids.audience_imports = reply.body.data.id;
  const read = async () => (await caller.get(`/v1/audience_imports/${ids.audience_imports}`)).body.data.status;
  await until('the import is complete', async () => (await read()) === 'completed');
}

async function changeThings({ caller, audience_id, ids }: SmallAccount, round: number): Promise<void> {
  const number = `4474000004${String(round).padStart(2, '0')}`;
  const contact = await caller.post(`/v1/audiences/${audience_id}/contacts`, { number, first_name: 'Emil' });
  if (contact.status < 300) await caller.delete(`/v1/audiences/${audience_id}/contacts/${contact.body.data.id}`);
  await caller.put(`/v1/audiences/${audience_id}/contacts/${ids.contacts}`, { first_name: `Ann ${round}` });
  await caller.post('/v1/stop_list', { number: `4474000005${String(round).padStart(2, '0')}` });
  await caller.post('/v1/audiences', { name: `Regulars ${round}`, channel: 'SMS' });
  await useDynamicAudience(caller, audience_id, round);
  await caller.post('/v1/exports', { list: 'messages', format: 'csv' });
  await caller.post('/v1/export_schedules', { list: 'messages', interval: 'daily' });
  const view = { list: 'campaigns', name: `View ${round}`, shared: true };
  await caller.post('/v1/views', { ...view, state: { filters: {}, sort: null, columns: { shown: {}, order: [] } } });
}

/** Conditions that read every table that conditions can read. */
async function useDynamicAudience(caller: Caller, audience_id: string, round: number): Promise<void> {
  const conditions = {
    match: 'any',
    conditions: [
      { subject: 'audiences', operator: 'in_any', value: [audience_id] },
      { subject: 'consent', operator: 'given', value: 'marketing', channel: 'SMS' },
      { subject: 'message_read', operator: 'in_last_days', value: 30 },
      { subject: 'link_clicked', operator: 'in_last_days', value: 30 },
      { subject: 'network', operator: 'is_one_of', value: ['23415'] },
    ],
  };
  const reply = await caller.post('/v1/audiences', { name: `Dynamic ${round}`, channel: 'SMS', conditions });
  await caller.post('/v1/audience_counts', { conditions });
  await caller.get(`/v1/audiences/${reply.body.data.id}/contacts`);
}

/** Calls every GET endpoint plainly, and with each of its parameters. */
async function readEverything({ caller, calls, ids, account_id, audience_id }: SmallAccount): Promise<void> {
  for (const { path, parameters } of calls) {
    const resource = /(\w+)\/\{id\}/.exec(path)?.[1] ?? '';
    const url = path
      .replace('{id}', ids[resource] ?? (path.startsWith('/v1/audiences') ? audience_id : account_id))
      .replace(/\{contact_id\}/, ids.contacts!)
      .replace(/\{\w+\}/g, account_id);
    await caller.get(url);
    for (const { name, schema } of parameters)
      for (const value of exampleValues(name, schema, ids))
        await caller.get(`${url}?${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
}

/** Every order of a list, and one value of everything else. */
function exampleValues(name: string, schema: Schema, ids: Readonly<Record<string, string>>): string[] {
  if (name === 'page_token' || name === 'page_size') return [];
  if (name === 'page') return ['2'];
  if (name === 'sort') return (schema.enum ?? []).map(String);
  const one = schema.anyOf?.[0] ?? schema.items ?? schema;
  if (one.enum) return [String(one.enum[0])];
  if (one.examples?.length) return [String(one.examples[0])];
  if (/sender/.test(name)) return [ids.senders!];
  if (/audience/.test(name)) return [ids.audiences!];
  if (/campaign/.test(name)) return [ids.campaigns!];
  if (one.format === 'uuid') return [ids.accounts!];
  if (/search|name/.test(name)) return ['an', PERSON];
  if (/number|phone|from|to/.test(name)) return [PERSON];
  return [one.type === 'boolean' ? 'true' : '1'];
}
