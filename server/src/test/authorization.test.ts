/**
 * Calls every endpoint in the contract signed out, from another company, without its permission, and with exactly that
 * permission. New endpoints are covered automatically. callers.test.ts covers all other kinds of callers: API keys, and
 * blocked, expired, pending, and impersonated users.
 */
import { type AnyEndpoint, endpointPath } from '@parley/contract/endpoint.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { allPermissions, type Need, type Permissions, RESOURCES, split } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { crmCompany, makePanelToken } from './calls/crm.ts';
import { makeContentRule, makeReview } from './calls/reviews.ts';
import { makeDestination, makeLookup, makeOptInForm } from './calls/rows.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from './make.ts';
import { makeSlot, uploadFile } from './media.ts';
import { makeTrafficStop } from './review.ts';
import { makeSenderRequest } from './senders.ts';
import { makeInvitation, makeSubAccount } from './team.ts';
import { makeTemplate } from './templates.ts';
import { createWorld, type Reply, type World } from './world.ts';

let world: World;
let company: Company;
let stranger: Company;
let operators: Company;
/** IDs of the company's rows, by resource. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  stranger = await makeCompany(world.kernel);
  operators = await makeCompany(world.kernel, { operator: true });
  const { sender_id, code } = await makeSender(world.kernel, company.account_id);
  const { connection_id } = await makeCarrier(world.kernel);
  const audience = await makeAudience(world.kernel, company.account_id, [
    { number: '447410000123', first_name: 'Ann' },
  ]);
  const owner = world.as(company.token);
  const contacts = await owner.get(`/v1/audiences/${audience}/contacts`);
  const field = await owner.post('/v1/contact_fields', { key: 'city', label: 'City', kind: 'text' });
  const message = await owner.post('/v1/messages', { from: code, to: ['447410000124'], channel: 'SMS', text: 'Hello' });
  const campaign = await owner.post('/v1/campaigns', {
    name: 'One',
    channel: 'SMS',
    from: sender_id,
    audience,
    text: 'Hi',
    start: false,
  });
  const stop = await owner.post('/v1/stop_list', { number: '447410000125' });
  const upload = await owner.upload(
    '/v1/audience_imports',
    { name: 'Imported' },
    { name: 'a.csv', bytes: 'Number\n447410000126\n' },
  );
  const conversation_id = newId();
  await world.kernel.db.run(sql`
    insert into conversations (account_id, id, channel, sender_id, number, timestamp)
    values (${company.account_id}, ${conversation_id}, 'SMS', ${sender_id}, '447410000127', now())`);
  const route = await world.kernel.db.one<{ id: string }>(
    sql`select id from routes where connection_id = ${connection_id}`,
  );
  Object.assign(ids, {
    senders: sender_id,
    audiences: audience,
    contacts: contacts.body.data[0].id,
    people: contacts.body.data[0].person_id,
    contact_fields: field.body.data.id,
    audience_imports: upload.body.data.id,
    stop_list: stop.body.data.id,
    balances: company.account_id,
    messages: message.body.data[0].id,
    campaigns: campaign.body.data.id,
    conversations: conversation_id,
    connections: connection_id,
    routes: route.id,
    accounts: company.account_id,
    country_blacklist: company.account_id,
    content_rules: await makeContentRule(world.kernel),
    message_reviews: await makeReview(world.kernel, company.account_id),
    requests: await makeSenderRequest(world.kernel, company.account_id),
    templates: await makeTemplate(world.kernel, company.account_id),
    companies: crmCompany(company.account_id),
    colleagues: (await makeUser(world.kernel, company.account_id)).user_id,
    inbox_agents: (await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15 } })).user_id,
  });
});
afterAll(() => world.stop());

/** Creates rows for resources that a permitted call deletes, because each call needs its own row. */
const FRESH: Record<string, () => Promise<string>> = {
  users: async () => (await makeUser(world.kernel, company.account_id)).user_id,
  senders: async () => (await makeSender(world.kernel, company.account_id)).sender_id,
  subusers: () => FRESH.users!(),
  invitations: () => makeInvitation(world.kernel, company),
  subaccounts: () => makeSubAccount(world.kernel, company),
  templates: () => makeTemplate(world.kernel, company.account_id),
  send_approvals: makeApproval,
  code_stops: makeCodeStop,
  traffic_stops: () => makeTrafficStop(world.kernel, company.account_id),
  content_rules: () => makeContentRule(world.kernel),
  views: () => makeView('campaigns'),
  inbox_view_notifications: () => makeView('inbox'),
  responses: makeResponse,
  labels: makeLabel,
  inbox_teams: makeTeam,
  inbox_rules: makeRule,
  keywords: makeKeyword,
  opt_in_forms: () => makeOptInForm(world.kernel, company.account_id, ids.audiences!, ids.senders!),
  push_devices: makeDevice,
  exports: makeExport,
  short_urls: makeShortUrl,
  lookups: () => makeLookup(world.kernel, company.account_id),
  limits: makeLimit,
  link_domains: makeLinkDomain,
  utm_presets: async () =>
    (await world.as(company.token).post('/v1/utm_presets', { name: newId(), source: 'sms' })).body.data.id,
  logs: makeExport,
  export_schedules: makeSchedule,
  export_destinations: () => makeDestination(world.kernel, company.account_id),
  media: async () => (await uploadFile(world, company.token, { file_name: 'a.txt', ...NOTES }, 'Hello')).id,
  slots: async () => (await makeSlot(world, company.token, { file_name: 'a.txt', ...NOTES })).id,
};
async function makeLimit(): Promise<string> {
  const id = newId();
  await world.kernel.db.run(sql`
    insert into limits (account_id, id, type, channels, "limit", "interval", enabled)
    values (${company.account_id}, ${id}, 'messages', '{SMS}', 1000, 'day', false)`);
  return id;
}
async function makeShortUrl(): Promise<string> {
  return (await world.as(company.token).post('/v1/short_urls', { url: 'https://example.com' })).body.data.id;
}
async function makeLinkDomain(): Promise<string> {
  const id = newId();
  await world.kernel.db.run(sql`
    insert into link_domains (account_id, id, host, token)
    values (${company.account_id}, ${id}, ${`${id}.example`}, 'x')`);
  return id;
}
async function makeExport(): Promise<string> {
  const id = newId();
  const actor = { kind: 'user', account_id: company.account_id, user_id: null };
  await world.kernel.db.run(sql`
    insert into exports (account_id, id, list, params, filter, format, filename, status, actor, expire_date)
    values (${company.account_id}, ${id}, 'messages', '{}', '{}', 'csv', 'messages.csv', 'COMPLETED',
            ${JSON.stringify(actor)}::jsonb, now() + interval '1 day')`);
  return id;
}
async function makeSchedule(): Promise<string> {
  const { body } = await world.as(company.token).post('/v1/export_schedules', { list: 'messages', interval: 'daily' });
  return body.data.id;
}
async function makeCodeStop(): Promise<string> {
  const id = newId();
  await world.kernel.db.run(sql`
    insert into code_stops (id, kind, place, country, sends, usual, stop_date)
    values (${id}, 'range', ${id}, 'GB', 30, 0, now())`);
  return id;
}
async function makeLabel(): Promise<string> {
  return (await world.as(company.token).post('/v1/labels', { name: newId() })).body.data.id;
}
async function makeTeam(): Promise<string> {
  return (await world.as(company.token).post('/v1/inbox_teams', { name: newId() })).body.data.id;
}
async function makeRule(): Promise<string> {
  const rule = { name: newId(), conditions: {}, actions: {} };
  return (await world.as(company.token).post('/v1/inbox_rules', rule)).body.data.id;
}
async function makeDevice(): Promise<string> {
  const id = newId();
  await world.kernel.db.run(sql`
    insert into push_devices (account_id, id, user_id, session_id, name, subscription, endpoint_hash)
    values (${company.account_id}, ${id}, ${company.user_id}, ${id}, 'Chrome on Windows', 'x', ${Buffer.from(id)})`);
  return id;
}
async function makeKeyword(): Promise<string> {
  return (await world.as(company.token).post('/v1/keywords', { words: ['hours'], reply: 'Nine' })).body.data.id;
}
async function makeResponse(): Promise<string> {
  const response = { name: newId(), text: 'Hello', shared: true };
  return (await world.as(company.token).post('/v1/responses', response)).body.data.id;
}
async function makeApproval(): Promise<string> {
  const id = newId();
  const rehearsal = { messages: [], total_micros: 0, currency: 'USD', fallbacks: [], needs_approval: true };
  await world.kernel.db.run(sql`
    insert into send_approvals (account_id, id, key_id, content_hash, rehearsal, expire_date)
    values (${company.account_id}, ${id}, ${id}, 'x', ${JSON.stringify(rehearsal)}::jsonb, now() + interval '1 day')`);
  return id;
}
async function makeView(list: string): Promise<string> {
  const state = { filters: {}, sort: null, columns: { shown: {}, order: [] } };
  const view = { list, name: newId(), shared: true, state };
  return (await world.as(company.token).post('/v1/views', view)).body.data.id;
}
const NOTES = { type: 'document', channel: 'VIBER' };

/**
 * Fills in the IDs of a path such as `/v1/audiences/{id}/contacts/{contact_id}`. The part before `{id}` is the
 * resource.
 */
async function fillPath(endpoint: AnyEndpoint): Promise<string> {
  const resource = /(\w+)\/\{id\}/.exec(endpoint.path)?.[1] ?? '';
  const id = (await FRESH[resource]?.()) ?? ids[resource] ?? newId();
  return endpointPath(endpoint.path, { id, contact_id: ids.contacts, user_id: ids.colleagues });
}

async function call(endpoint: AnyEndpoint, who?: string | { key: string }, path?: string): Promise<Reply> {
  const headers: Record<string, string> = {};
  const init: RequestInit = { method: endpoint.method, headers };
  if (endpoint.upload) {
    const form = new FormData();
    form.append('file', new Blob(['Number\n447410000128\n']), 'a.csv');
    init.body = form;
  } else if (endpoint.body) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify({ data: {} });
  }
  // A stream never ends, so its start counts as success.
  if (endpoint.raw === 'text/event-stream') init.signal = AbortSignal.timeout(500);
  return world
    .as(who)
    .raw(path ?? (await fillPath(endpoint)), init)
    .catch(() => ({ status: 200, headers: new Headers(), body: null, text: '' }));
}

const guarded = ENDPOINTS.filter((endpoint) => endpoint.needs !== 'public');
const restricted = guarded.filter((endpoint) => endpoint.needs !== null);
const listNeeds = (endpoint: AnyEndpoint): Need[] =>
  typeof endpoint.needs === 'string' ? [endpoint.needs as Need] : [...((endpoint.needs ?? []) as Need[])];
const LEVEL_BITS = { view: 1, add: 2, edit: 4, delete: 8 } as const;

const createToken = async (endpoint: AnyEndpoint, permissions: Permissions) => {
  if (endpoint.audience === 'panel') return makePanelToken(world.kernel, company.account_id, permissions);
  const account = endpoint.audience === 'operator' ? operators : company;
  return (await makeUser(world.kernel, account.account_id, { permissions })).token;
};

const strangerToken = async (endpoint: AnyEndpoint): Promise<string> =>
  endpoint.audience === 'panel' ? makePanelToken(world.kernel, stranger.account_id, allPermissions()) : stranger.token;

describe('every endpoint', () => {
  it.each(guarded.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s rejects a caller who is signed out',
    async (_, endpoint) => {
      const responses = [
        await call(endpoint),
        await call(endpoint, 'x'.repeat(43)),
        await call(endpoint, { key: 'nonsense' }),
      ];
      expect(responses.map((response) => [response.status, response.body.errors[0].code])).toEqual([
        [401, 1101],
        [401, 1101],
        [401, 1101],
      ]);
    },
  );

  it.each(restricted.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s rejects a user without its permission',
    async (_, endpoint) => {
      const permissions: Record<string, number> = allPermissions();
      for (const need of listNeeds(endpoint)) {
        const { resource, level } = split(need);
        permissions[resource] = (permissions[resource] ?? 0) & ~LEVEL_BITS[level];
      }
      const response = await call(endpoint, await createToken(endpoint, permissions));
      expect([response.status, response.body.errors[0].code]).toEqual([403, 1136]);
      expect(response.body.errors[0].message).toMatch(/^You need (View|Add|Edit|Delete) .+ permission\.$/);
    },
  );

  it.each(
    restricted.flatMap((endpoint) =>
      listNeeds(endpoint).map((need) => [`${endpoint.id} allows a user with only ${need}`, endpoint, need] as const),
    ),
  )('%s', async (_, endpoint, need) => {
    const { resource, level } = split(need);
    const response = await call(endpoint, await createToken(endpoint, { [resource]: LEVEL_BITS[level] }));
    expect(response.status).not.toBe(401);
    expect(response.body?.errors?.[0].code).not.toBe(1136);
    expect(response.body?.errors?.[0].code).not.toBe(1138);
    expect(response.status).toBeLessThan(500);
  });

  it.each(
    guarded
      .filter((endpoint) => endpoint.params && endpoint.audience !== 'operator')
      .map((endpoint) => [endpoint.id, endpoint] as const),
  )('%s does not find another account’s rows', async (_, endpoint) => {
    const token = await strangerToken(endpoint);
    const path = await fillPath(endpoint);
    const before = await snapshotCompany(path);
    const response = await call(endpoint, token, path);
    // The row is either not found, or the empty body is rejected before the lookup. The row's data is never returned.
    expect([400, 404]).toContain(response.status);
    expect(JSON.stringify(response.body.errors.map(({ path: _, ...rest }: { path: string }) => rest))).not.toContain(
      company.account_id,
    );
    expect(await snapshotCompany(path)).toEqual(before);
  });

  it.each(
    guarded
      .filter((endpoint) => endpoint.list && endpoint.audience !== 'operator')
      .map((endpoint) => [endpoint.id, endpoint] as const),
  )('%s does not list another account’s rows', async (_, endpoint) => {
    const response = await call(endpoint, stranger.token);
    if (['rates.list', 'rates.list_changes'].includes(endpoint.id)) return expect(response.status).toBe(200);
    if (response.status === 200)
      expect(
        response.body.data.filter((row: { account_id?: string }) => row.account_id !== stranger.account_id),
      ).toEqual([]);
    // A list may need an ID in its path, or parameters.
    else expect([400, 404]).toContain(response.status);
  });

  it.each(
    guarded.filter((endpoint) => endpoint.audience === 'operator').map((endpoint) => [endpoint.id, endpoint] as const),
  )('%s rejects a customer with all permissions', async (_, endpoint) => {
    const response = await call(endpoint, company.token);
    expect([response.status, response.body.errors[0].code]).toEqual([403, 1138]);
  });

  it.each(
    guarded.filter((endpoint) => endpoint.audience === 'session').map((endpoint) => [endpoint.id, endpoint] as const),
  )('%s rejects an API key', async (_, endpoint) => {
    const response = await call(endpoint, { key: await makeKey(world.kernel, company.account_id) });
    expect(response.status).toBe(403);
  });
});

it('the permission matrix matches its snapshot', () => {
  const rows = ENDPOINTS.map(({ method, path, needs, audience }) => {
    const requirement = Array.isArray(needs) ? needs.join(' or ') : (needs ?? 'signed in');
    return `${method.padEnd(6)} ${path}  ${requirement}${audience ? ` (${audience})` : ''}`;
  });
  expect(rows.sort().join('\n')).toMatchSnapshot();
});

it('a removed permission takes effect on the next call', async () => {
  const user = await makeUser(world.kernel, company.account_id, { permissions: { AUDIENCES: 1 } });
  expect((await world.as(user.token).get('/v1/audiences')).status).toBe(200);
  await world.kernel.db.run(sql`
    update users set permissions = '{}' where account_id = ${company.account_id} and id = ${user.user_id}`);
  expect((await world.as(user.token).get('/v1/audiences')).status).toBe(403);
  await world.kernel.db.run(sql`
    update users set blocked = true where account_id = ${company.account_id} and id = ${user.user_id}`);
  const reply = await world.as(user.token).get('/v1/audiences');
  expect([reply.status, reply.body.errors[0].code]).toEqual([403, 1135]);
});

it('every resource that an endpoint requires exists', () => {
  const used = new Set(
    ENDPOINTS.flatMap((endpoint) => (endpoint.needs === 'public' ? [] : listNeeds(endpoint))).map(
      (need) => split(need).resource,
    ),
  );
  for (const resource of used) expect(RESOURCES).toContain(resource);
});

/**
 * Returns all rows that a call from another company could have changed. Of the users, which other tests add by the
 * thousand, it returns those of the setup and those in the path.
 */
async function snapshotCompany(path: string): Promise<unknown> {
  return world.kernel.db.rows(sql`
    select
      (select jsonb_agg(to_jsonb(a) order by a.id) from audiences a
       where account_id = ${company.account_id}) as audiences,
      (select jsonb_agg(to_jsonb(c) order by c.id) from contacts c
       where account_id = ${company.account_id}) as contacts,
      (select jsonb_agg(to_jsonb(p) order by p.id) from campaigns p
       where account_id = ${company.account_id}) as campaigns,
      (select jsonb_agg(to_jsonb(m) order by m.id) from messages m
       where account_id = ${company.account_id}) as messages,
      (select jsonb_agg(to_jsonb(s) order by s.id) from stop_list s
       where account_id = ${company.account_id}) as stop_list,
      (select jsonb_agg(to_jsonb(v) order by v.id) from conversations v
       where account_id = ${company.account_id}) as conversations,
      (select jsonb_agg(to_jsonb(u) order by u.id) from users u
       where account_id = ${company.account_id}
         and (id = any(${[company.user_id, ids.colleagues!, ids.inbox_agents!]}) or position(id::text in ${path}) > 0)
      ) as users,
      (select jsonb_agg(to_jsonb(i) order by i.id) from invitations i
       where account_id = ${company.account_id}) as invitations,
      (select jsonb_agg(to_jsonb(f) order by f.id) from media f
       where account_id = ${company.account_id}) as media,
      (select jsonb_agg(to_jsonb(a) order by a.id) from accounts a
       where ${company.account_id} in (a.id, a.parent_id)) as accounts`);
}
