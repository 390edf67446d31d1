/** Test-key audiences and campaigns. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { raw, sql } from '../kernel/db/db.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';
import { pruneTestCampaigns, runTestCampaign } from './test_run.ts';

let world: World;
let company: Company;
let owner: Caller;
let tester: Caller;
let live: Caller;
let from: string;

beforeAll(async () => {
  world = await createWorld();
  await makeCarrier(world.kernel, { countries: ['GB'] });
  // Without money, because test campaigns are free.
  company = await makeCompany(world.kernel, { balance_micros: 0 });
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
  tester = world.as({ key: await makeKey(world.kernel, company.account_id, undefined, true) });
  live = world.as({ key: await makeKey(world.kernel, company.account_id) });
});
afterAll(() => world?.stop());

const codeIn = (reply: Reply): number => reply.body.errors?.[0].code;
let names = 0;
const makeTestAudience = async (contacts: readonly object[]): Promise<string> => {
  const reply = await tester.post('/v1/audiences', { name: `Test ${++names}`, channel: 'SMS', contacts });
  expect(reply.text).toContain('"is_test":true');
  return reply.body.data.id;
};
const contact = (number: string, more: object = {}) => ({ number, first_name: 'Zoë', ...more });

async function ended(id: string) {
  let found: Reply | undefined;
  await until('the campaign has ended', async () => {
    found = await tester.get(`/v1/campaigns/${id}`);
    return ['completed', 'paused', 'failed'].includes(found.body.data.status);
  });
  return found!.body.data;
}

/** The rows of live data of the account. */
async function liveRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const tables = ['audiences', 'contacts', 'people', 'consents', 'campaigns', 'campaign_skips', 'campaign_people'];
  const sending = [
    'messages',
    'dispatch',
    'holds',
    'ledger',
    'conversations',
    'message_decisions',
    'links',
    'link_codes',
  ];
  for (const table of [...tables, ...sending, 'stop_list', 'events', 'audit_log']) {
    const statement = sql`select count(*)::int as count from ${raw(table)} where account_id = ${company.account_id}`;
    counts[table] = (await world.kernel.db.one<{ count: number }>(statement)).count;
  }
  // Test messages announce their statuses, marked as test.
  const { count } = await world.kernel.db.one<{ count: number }>(sql`
    select count(*)::int as count from events
    where account_id = ${company.account_id} and type not in ('test_message.status_changed', 'test_campaign.changed')`);
  counts.events = count;
  return counts;
}

test('a test key runs a campaign through the whole pipeline without writing live data', async () => {
  const before = await liveRows();
  const stopped = testNumber(7);
  await owner.post('/v1/stop_list', { number: stopped });
  const withStop = await liveRows();
  const audience = await makeTestAudience([
    contact(testNumber(11)),
    contact(testNumber(12)),
    contact('447400000001'),
    contact('447400000002'),
    contact('447400000005'),
    contact(stopped),
    contact('33612345678'),
  ]);
  const created = await tester.post('/v1/campaigns', {
    ...{ name: 'Spring', channel: 'SMS', from, audience, text: 'Hi {first_name:you}, see {url=https://example.com/a}' },
  });
  expect(created.status).toBe(201);
  expect(created.body.data).toMatchObject({ name: 'Spring', is_test: true, status: 'in_progress', cost_micros: 0 });
  const { id } = created.body.data;
  const campaign = await ended(id);
  await until('all messages have an outcome', async () => {
    const { counts } = (await tester.get(`/v1/campaigns/${id}`)).body.data;
    return counts.delivered === 2 && counts.failed === 1 && counts.rejected === 1 && counts.sent === 1;
  });
  expect(campaign).toMatchObject({ total: 7, fanned_out: 5, skipped: { stop_list: 1, no_price: 1 }, is_test: true });
  expect(campaign.audience_name).toMatch(/^Test /);
  const log = await tester.get(`/v1/messages?filter[campaign_ids]=${id}`);
  expect(log.body.data).toHaveLength(5);
  expect(log.body.data.every((row: Record<string, unknown>) => row.test === true && row.price_micros === 0)).toBe(true);
  expect(log.body.data[0].text).toMatch(/^Hi Zoë, see /);
  expect((await tester.get('/v1/campaigns?filter[statuses]=completed')).body.data).toMatchObject([{ id }]);
  expect((await tester.get('/v1/campaigns?filter[statuses]=in_progress')).body.data).toEqual([]);

  expect(await liveRows()).toEqual(withStop);
  expect({ ...withStop, stop_list: 0 }).toMatchObject({ messages: before.messages, campaigns: before.campaigns });
  for (const path of ['/v1/campaigns', '/v1/audiences', '/v1/messages', '/v1/people'])
    for (const caller of [owner, live]) expect([path, (await caller.get(path)).body.data]).toEqual([path, []]);
  expect((await live.get(`/v1/campaigns/${id}`)).status).toBe(404);
  expect((await live.get(`/v1/audiences/${audience}`)).status).toBe(404);
  const stranger = world.as({
    key: await makeKey(world.kernel, (await makeCompany(world.kernel)).account_id, undefined, true),
  });
  expect((await stranger.get(`/v1/campaigns/${id}`)).status).toBe(404);
  expect((await stranger.get(`/v1/audiences/${audience}/contacts`)).status).toBe(404);
  expect((await stranger.get('/v1/campaigns')).body.data).toEqual([]);
});

test('test audiences follow the rules of live ones, under their own names', async () => {
  await makeAudience(world.kernel, company.account_id, [{ number: testNumber(20) }], 'Regulars');
  const [{ id: live_id }] = (await owner.get('/v1/audiences')).body.data;
  const created = await tester.post('/v1/audiences', { name: 'Regulars', channel: 'SMS', contacts: [] });
  expect(created.body.data).toMatchObject({ name: 'Regulars', is_test: true, contacts_count: 0 });
  const { id } = created.body.data;
  const path = `/v1/audiences/${id}`;
  expect(codeIn(await tester.post('/v1/audiences', { name: 'regulars', channel: 'SMS' }))).toBe(1309);
  expect((await tester.get(`/v1/audiences/${live_id}`)).status).toBe(404);
  const added = await tester.post(`${path}/contacts`, contact('+44 7410 000021', { tags: ['vip'], custom2: '👋' }));
  expect(added.status).toBe(201);
  expect(added.body.data).toMatchObject({ number: testNumber(21), tags: ['vip'], custom2: '👋', is_test: true });
  expect(codeIn(await tester.post(`${path}/contacts`, contact(testNumber(21))))).toBe(1360);
  expect(codeIn(await tester.post(`${path}/contacts`, contact('12')))).toBe(1354);
  const own = `${path}/contacts/${added.body.data.id}`;
  expect((await tester.put(own, { first_name: 'Max', tags: [] })).body.data).toMatchObject({
    first_name: 'Max',
    tags: [],
  });
  expect((await tester.get(`${path}/contacts?filter[search]=max`)).body.data).toMatchObject([{ first_name: 'Max' }]);
  expect((await tester.get(`${path}/contacts?filter[search]=4474`)).body.pagination.total).toBe(1);
  expect((await tester.get(path)).body.data.contacts_count).toBe(1);
  expect((await tester.put(path, { name: 'Renamed' })).body.data.name).toBe('Renamed');
  expect((await tester.delete(own)).status).toBe(204);
  expect((await tester.get(own)).status).toBe(404);
  expect((await tester.delete(path)).status).toBe(204);
  expect((await owner.get('/v1/audiences')).body.data).toMatchObject([{ id: live_id, contacts_count: 1 }]);
});

test('a test campaign obeys the rules of live ones, and never reaches a live audience', async () => {
  const live_audience = await makeAudience(world.kernel, company.account_id, [{ number: testNumber(30) }]);
  const audience = await makeTestAudience([contact(testNumber(31))]);
  const body = { name: 'Rules', channel: 'SMS', from, audience, text: 'Hi' };
  expect(codeIn(await tester.post('/v1/campaigns', { ...body, audience: live_audience }))).toBe(1606);
  expect(codeIn(await live.post('/v1/campaigns', body))).toBe(1606);
  expect(codeIn(await tester.post('/v1/campaigns', { ...body, from: 'Nobody' }))).toBe(1604);
  expect(codeIn(await tester.post('/v1/campaigns', { ...body, text: 'Hi {nickname}' }))).toBe(1615);
  expect(codeIn(await tester.post('/v1/campaigns', { ...body, schedule: '2020-01-01 00:00:00' }))).toBe(1522);
  expect((await tester.get('/v1/campaigns?filter[name]=Rules')).body.data).toEqual([]);
  const { id } = (await tester.post('/v1/campaigns', body)).body.data;
  expect(codeIn(await tester.post('/v1/campaigns', body))).toBe(1610);
  await ended(id);
  // The job can run twice.
  await runTestCampaign(world.kernel, { account_id: company.account_id, id });
  expect((await tester.get(`/v1/messages?filter[campaign_ids]=${id}`)).body.data).toHaveLength(1);
  expect(codeIn(await tester.put(`/v1/campaigns/${id}`, { text: 'Later' }))).toBe(1614);
  expect((await tester.put(`/v1/campaigns/${id}`, { note: 'Checked' })).body.data.note).toBe('Checked');
  expect((await tester.put(`/v1/campaigns/${id}`, { status: 'canceled' })).status).toBe(409);
  expect((await tester.delete(`/v1/campaigns/${id}`)).status).toBe(204);
});

test('a repeated request with an idempotency key creates one test campaign', async () => {
  const audience = await makeTestAudience([contact(testNumber(35))]);
  const headers = { 'idempotency-key': 'campaign-1' };
  const body = { channel: 'SMS', from, audience, text: 'Hi' };
  const first = await tester.post('/v1/campaigns', body, headers);
  expect(first.status).toBe(201);
  expect((await tester.post('/v1/campaigns', body, headers)).body.data.id).toBe(first.body.data.id);
});

test('drafts, schedules, and cancellations work as in live campaigns', async () => {
  const audience = await makeTestAudience([contact(testNumber(40))]);
  const { id } = (await tester.post('/v1/campaigns', { channel: 'SMS', start: false })).body.data;
  const path = `/v1/campaigns/${id}`;
  expect((await tester.get(path)).body.data).toMatchObject({ status: 'in_complete', is_test: true });
  expect((await tester.put(path, { status: 'in_progress' })).status).toBe(400);
  const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const scheduled = await tester.put(path, { from, audience, text: 'Hi', schedule, status: 'scheduled' });
  expect(scheduled.body.data).toMatchObject({ status: 'scheduled', schedule });
  expect(codeIn(await tester.delete(`/v1/audiences/${audience}`))).toBe(1319);
  expect((await tester.get(`/v1/audiences/${audience}`)).status).toBe(200);
  expect((await tester.put(path, { text: 'Hello' })).body.data).toMatchObject({ status: 'scheduled', text: 'Hello' });
  expect((await tester.put(path, { status: 'canceled' })).body.data.status).toBe('canceled');
  expect((await tester.put(path, { status: 'in_progress' })).status).toBe(409);
  expect((await tester.get(`/v1/messages?filter[campaign_ids]=${id}`)).body.data).toEqual([]);

  const now = (await tester.post('/v1/campaigns', { channel: 'SMS', from, audience, text: 'Hi', schedule })).body.data;
  expect(now.status).toBe('scheduled');
  expect((await tester.put(`/v1/campaigns/${now.id}`, { status: 'in_progress' })).status).toBe(200);
  expect((await ended(now.id)).fanned_out).toBe(1);
});

test('bad input is refused, and old test data is deleted', async () => {
  for (const path of ['/v1/campaigns/x', '/v1/audiences/x']) expect((await tester.get(path)).status).toBe(400);
  for (const path of [`/v1/campaigns/${newId()}`, `/v1/audiences/${newId()}`]) {
    expect((await tester.get(path)).status).toBe(404);
    expect((await tester.put(path, { name: 'New' })).status).toBe(404);
    expect((await tester.delete(path)).status).toBe(404);
  }
  expect((await tester.post('/v1/audiences', { name: 'a\u0000b', channel: 'SMS' })).status).toBe(400);
  const contacts = Array.from({ length: 1_000 }, (_, index) => contact(testNumber(1_000 + index)));
  const id = await makeTestAudience(contacts);
  expect(codeIn(await tester.post(`/v1/audiences/${id}/contacts`, contact(testNumber(50))))).toBe(2574);
  await world.kernel.db.run(sql`
    update test_campaigns set update_date = now() - interval '31 days', schedule = null
    where account_id = ${company.account_id}`);
  await world.kernel.db.run(sql`
    update test_audiences set update_date = now() - interval '31 days' where account_id = ${company.account_id}`);
  await pruneTestCampaigns(world.kernel.db, new AbortController().signal);
  expect((await tester.get('/v1/campaigns')).body.data).toEqual([]);
  expect((await tester.get('/v1/audiences')).body.data).toEqual([]);
  const { count } = await world.kernel.db.one<{ count: number }>(sql`select count(*)::int as count from test_contacts`);
  expect(count).toBe(0);
});
