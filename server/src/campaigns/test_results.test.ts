/** Results, files, dynamic audiences, and repeating campaigns for test keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { raw, sql } from '../kernel/db/db.ts';
import { csv } from '../test/imports.ts';
import {
  type Company,
  makeAudience,
  makeCarrier,
  makeCompany,
  makeKey,
  makeSender,
  makeUser,
  testNumber,
} from '../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';
import { runTestCampaign } from './test_run.ts';

let world: World;
let company: Company;
let owner: Caller;
let tester: Caller;
let stranger: Caller;
let from: string;

beforeAll(async () => {
  world = await createWorld();
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel, { balance_micros: 0 });
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
  tester = world.as({ key: await makeKey(world.kernel, company.account_id, undefined, true) });
  const other = await makeCompany(world.kernel);
  stranger = world.as({ key: await makeKey(world.kernel, other.account_id, undefined, true) });
});
afterAll(() => world?.stop());

const codeIn = (reply: Reply): number => reply.body.errors?.[0].code;
let names = 0;
const contact = (number: string, more: object = {}) => ({ number, first_name: 'Zoë', last_name: 'Ng', ...more });
async function makeTestAudience(contacts: readonly object[]): Promise<string> {
  const reply = await tester.post('/v1/audiences', { name: `Test ${++names}`, channel: 'SMS', contacts });
  return reply.body.data.id;
}

async function ended(id: string) {
  let found: Reply | undefined;
  await until('the campaign has ended', async () => {
    found = await tester.get(`/v1/campaigns/${id}`);
    return ['completed', 'paused', 'failed'].includes(found.body.data.status);
  });
  return found!.body.data;
}

/** The number of rows in each table of live data of the account. */
async function liveRows(): Promise<Record<string, number>> {
  const tables = ['audiences', 'contacts', 'people', 'campaigns', 'campaign_skips', 'campaign_imports', 'messages'];
  const counts: Record<string, number> = {};
  for (const table of [...tables, 'audience_imports', 'ledger', 'holds', 'conversations', 'audit_log']) {
    const statement = sql`select count(*)::int as count from ${raw(table)} where account_id = ${company.account_id}`;
    counts[table] = (await world.kernel.db.one<{ count: number }>(statement)).count;
  }
  return counts;
}

test('the results, recipients, and skipped contacts of a test campaign show only its test messages', async () => {
  const stopped = testNumber(7);
  await owner.post('/v1/stop_list', { number: stopped });
  const before = await liveRows();
  const outcomes = [testNumber(11), '447400000001', '447400000005', stopped, '33612345678'];
  const audience = await makeTestAudience([...outcomes.map((number) => contact(number))]);
  const text = 'Hi, see {url=https://example.com/a}';
  const { id } = (await tester.post('/v1/campaigns', { channel: 'SMS', from, audience, text })).body.data;
  const path = `/v1/campaigns/${id}`;
  await ended(id);
  await until('the messages have their outcome', async () => {
    const { points } = (await tester.get(`${path}/results`)).body.data;
    const sum = (name: string) => points.reduce((all: number, point: Record<string, number>) => all + point[name]!, 0);
    return sum('delivered') === 1 && sum('failed') === 1 && sum('sent') === 1;
  });
  const figures = { replies: 0, opt_outs: 0, clicked: 0, silent: 2, variants: [] };
  expect((await tester.get(`${path}/results`)).body.data).toMatchObject({
    ...figures,
    forecast: { will_receive: 3, total_micros: 0 },
    actual: [{ country: 'GB', recipients: 3, cost_micros: 0 }],
  });

  const recipients = await tester.get(`${path}/recipients`);
  expect(recipients.body.pagination.total).toBe(3);
  for (const row of recipients.body.data)
    expect(row).toMatchObject({ test: true, price_micros: 0, contact_name: 'Zoë Ng', reply_date: null });
  const find = async (filter: string) =>
    (await tester.get(`${path}/recipients?filter${filter}`)).body.data.map(({ to }: { to: string }) => to);
  expect(await find('[bucket]=failed')).toEqual(['447400000001']);
  expect(await find('[statuses]=sent')).toEqual(['447400000005']);
  expect(await find('[response]=replied')).toEqual([]);
  expect(await find('[search]=%2B44 7400 000 001')).toEqual(['447400000001']);
  const file = await tester.get(`${path}/recipients/file?bucket=failed`);
  expect(file.text.split('\n').filter(Boolean)).toHaveLength(2);
  expect(file.text).toContain('+447400000001,GB,failed');

  const skips = (await tester.get(`${path}/skips`)).body.data;
  expect(skips.map(({ number, reason, contact_name }: never) => [number, reason, contact_name])).toEqual([
    [stopped, 'stop_list', 'Zoë Ng'],
    ['33612345678', 'no_price', 'Zoë Ng'],
  ]);
  expect((await tester.get(`${path}/skips?filter[reason]=no_price`)).body.pagination.total).toBe(1);
  for (const part of ['results', 'recipients', 'recipients/file', 'skips']) {
    for (const caller of [owner, stranger]) expect((await caller.get(`${path}/${part}`)).status).toBe(404);
    expect((await tester.get(`/v1/campaigns/${newId()}/${part}`)).status).toBe(404);
  }
  expect(await liveRows()).toEqual(before);
});

test('a test key reaches the contacts in a file, and no live data changes', async () => {
  const before = await liveRows();
  const send = (fields: object, bytes: string) =>
    tester.upload(
      '/v1/campaign_imports',
      { data: JSON.stringify({ from, text: 'Hi {first_name}', ...fields }) },
      [...[csv(bytes)].flat()][0]!,
    );
  const rows = 'Number;First name\n+447400900101;Ann 👋\\\n+447400900102;Bo\n+447400900101;Ann again\nno number;Eve';
  const created = await send({ name: 'From a file' }, rows);
  expect(created.status, created.text).toBe(201);
  const counts = { total_rows: 4, created_count: 2, duplicate_count: 1, invalid_count: 1 };
  expect(created.body.data).toMatchObject({ status: 'started', ...counts, error_code: null });
  const { id, campaign_id, audience_id } = created.body.data;
  expect(await ended(campaign_id)).toMatchObject({ name: 'From a file', is_test: true, audience_id, fanned_out: 2 });
  const messages = await tester.get(`/v1/messages?filter[campaign_ids]=${campaign_id}`);
  expect(messages.body.data.map(({ text }: { text: string }) => text).sort()).toEqual(['Hi Ann 👋\\', 'Hi Bo']);
  expect((await tester.get(`/v1/campaign_imports/${id}`)).body.data).toEqual(created.body.data);
  for (const caller of [owner, stranger]) expect((await caller.get(`/v1/campaign_imports/${id}`)).status).toBe(404);
  expect(codeIn(await send({ text: 'Hi {nickname}' }, rows))).toBe(1615);
  expect(codeIn(await send({}, 'First name\nAnn'))).toBeDefined();
  const many = Array.from({ length: 1_001 }, (_, index) => `+4474001${String(index).padStart(5, '0')}`);
  expect(codeIn(await send({}, ['Number', ...many].join('\n')))).toBe(2574);
  expect((await tester.get('/v1/campaigns?filter[search]=From a file')).body.pagination.total).toBe(1);
  expect(await liveRows()).toEqual(before);
});

const VIPS = { match: 'all', conditions: [{ subject: 'tags', operator: 'has_any', value: ['vip'] }] };
const only = (condition: object) => ({ match: 'all', conditions: [condition] });

test('a dynamic test-key audience selects from test contacts and test messages only', async () => {
  const live = await makeAudience(world.kernel, company.account_id, [{ number: testNumber(61) }], 'Live');
  await owner.put(
    `/v1/audiences/${live}/contacts/${(await owner.get(`/v1/audiences/${live}/contacts`)).body.data[0].id}`,
    {
      tags: ['vip'],
    },
  );
  const vip = contact('447400000062', { tags: ['vip'] });
  const source = await makeTestAudience([vip, contact('447400000063')]);
  await makeTestAudience([vip]);
  const created = await tester.post('/v1/audiences', { name: 'VIPs', channel: 'SMS', conditions: VIPS });
  expect(created.status, created.text).toBe(201);
  expect(created.body.data).toMatchObject({ is_test: true, conditions: VIPS, contacts_count: 1 });
  const { id } = created.body.data;
  const path = `/v1/audiences/${id}`;
  const contacts = (await tester.get(`${path}/contacts`)).body.data;
  expect(contacts).toMatchObject([{ number: '447400000062', audience_id: id, is_test: true }]);
  expect((await tester.get(`${path}/contacts/${contacts[0].id}`)).body.data).toEqual(contacts[0]);
  expect(codeIn(await tester.post(`${path}/contacts`, contact('447400000064')))).toBe(
    codeIn(await owner.post(`/v1/audiences/${await liveDynamic()}/contacts`, contact('447400000064'))),
  );
  const count = async (condition: object) =>
    (await tester.post('/v1/audience_counts', { conditions: only(condition) })).body.data;
  expect(await count({ subject: 'tags', operator: 'has_any', value: ['VIP'] })).toEqual({
    count: 1,
    is_estimate: false,
  });
  const isIn = { subject: 'audiences', operator: 'in_any', value: [source] };
  expect(await count(isIn)).toMatchObject({ count: 2 });
  expect(codeIn(await tester.post('/v1/audience_counts', { conditions: only({ ...isIn, value: [live] }) }))).toBe(
    codeIn(await owner.post('/v1/audience_counts', { conditions: only({ ...isIn, value: [source] }) })),
  );

  const { id: campaign } = (await tester.post('/v1/campaigns', { channel: 'SMS', from, audience: id, text: 'Hi' })).body
    .data;
  expect(await ended(campaign)).toMatchObject({ audience_id: id, audience_name: 'VIPs', total: 1, fanned_out: 1 });
  await until('the message arrives', async () => {
    const reached = await count({ subject: 'message_delivered', operator: 'ever' });
    return reached.count >= 1;
  });
  const numbers = async () =>
    (await tester.get(`${path}/contacts`)).body.data.map(({ number }: { number: string }) => number);
  const reached = [isIn, { subject: 'message_sent', operator: 'in_last_days', value: 1, channel: 'SMS' }];
  await tester.put(path, { name: 'VIPs', conditions: { match: 'all', conditions: reached } });
  expect(await numbers()).toEqual(['447400000062']);
  expect((await tester.delete(`/v1/audiences/${source}`)).status).toBe(409);
  const never = { match: 'all', conditions: [isIn, { subject: 'link_clicked', operator: 'ever' }] };
  await tester.put(path, { name: 'VIPs', conditions: never });
  expect(await numbers()).toEqual([]);
  await tester.put(path, { name: 'VIPs', conditions: VIPS });
  expect(codeIn(await tester.put(`/v1/audiences/${source}`, { name: 'Plain', conditions: VIPS }))).toBeDefined();
  expect((await tester.delete(`/v1/audiences/${source}`)).status).toBe(204);
});

const liveDynamic = async () =>
  (await owner.post('/v1/audiences', { name: 'Live VIPs', channel: 'SMS', conditions: VIPS })).body.data.id;

/** Every subject of a condition can be evaluated on test data. */
test.each([
  { subject: 'first_name', operator: 'is', value: 'Zoë' },
  { subject: 'custom2', operator: 'is_empty' },
  { subject: 'country', operator: 'is_one_of', value: ['GB'] },
  { subject: 'network', operator: 'is_none_of', value: ['23415'] },
  { subject: 'language', operator: 'is_empty' },
  { subject: 'timezone', operator: 'is_empty' },
  { subject: 'create_date', operator: 'in_last_days', value: 2 },
  { subject: 'consent', operator: 'not_given', value: 'marketing', channel: 'SMS' },
  { subject: 'message_read', operator: 'never' },
  { subject: 'message_failed', operator: 'never', channel: 'SMS' },
  { subject: 'link_clicked', operator: 'never' },
  { subject: 'replied', operator: 'not_in_last_days', value: 3 },
])('test contacts match the condition on $subject', async (condition) => {
  const number = '447400000071';
  const audience = await makeTestAudience([contact(number)]);
  const isIn = { subject: 'audiences', operator: 'in_any', value: [audience] };
  const conditions = { match: 'all', conditions: [isIn, condition] };
  const reply = await tester.post('/v1/audience_counts', { conditions });
  expect(reply.body.data, reply.text).toEqual({ count: 1, is_estimate: false });
});

const wire = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');

test('a repeating test-key campaign starts each run once, and skips one', async () => {
  const before = await liveRows();
  const audience = await makeTestAudience([contact(testNumber(81))]);
  const first = new Date(Date.now() + 3_600_000);
  const later = (days: number) => wire(new Date(first.getTime() + days * 86_400_000));
  const body = { name: 'News', channel: 'SMS', from, audience, text: 'Hi', schedule: wire(first) };
  expect(
    codeIn(await tester.post('/v1/campaigns', { ...body, schedule: null, repeat: { every: 'day' } })),
  ).toBeDefined();
  const created = await tester.post('/v1/campaigns', { ...body, repeat: { every: 'day', count: 3 } });
  expect(created.body.data, created.text).toMatchObject({
    ...{ status: 'scheduled', is_test: true, schedule: wire(first) },
    next_runs: [later(0), later(1), later(2)],
  });
  const { id } = created.body.data;
  const path = `/v1/campaigns/${id}`;
  const skip = (schedule: string, caller = tester) => caller.post(`${path}/skips`, { schedule });
  expect((await skip(later(0))).body.data).toMatchObject({ schedule: later(1), next_runs: [later(1), later(2)] });
  const repeated = await skip(later(0));
  expect([repeated.status, codeIn(repeated)]).toEqual([409, 2375]);
  for (const caller of [owner, stranger]) expect((await skip(later(1), caller)).status).toBe(404);
  const edited = await tester.put(path, { text: 'Hi again' });
  expect(edited.body.data).toMatchObject({ status: 'scheduled', schedule: later(1), next_runs: [later(1), later(2)] });
  expect((await tester.put(path, { status: 'paused' })).body.data).toMatchObject({ status: 'paused' });
  expect((await tester.put(path, { status: 'in_progress' })).body.data).toMatchObject({
    status: 'scheduled',
    next_runs: [later(1), later(2)],
  });

  // The time of the next run comes.
  const shift = 25 * 3_600;
  await world.kernel.db.run(sql`
    update test_campaigns set
      request = request || jsonb_build_object('schedule', ${wire(new Date(first.getTime() - shift * 1_000))}::text),
      campaign = campaign || jsonb_build_object('schedule',
        ${wire(new Date(first.getTime() + (86_400 - shift) * 1_000))}::text)
    where account_id = ${company.account_id} and id = ${id}`);
  const run = { account_id: company.account_id, id };
  await Promise.all([runTestCampaign(world.kernel, run), runTestCampaign(world.kernel, run)]);
  const runs = async () => (await tester.get(`/v1/campaigns?filter[series_id]=${id}`)).body.data;
  await until('the run has ended', async () => (await runs())[0]?.status === 'completed');
  const [only] = await runs();
  expect(await runs()).toMatchObject([{ series_id: id, fanned_out: 1, repeat: null, is_test: true }]);
  expect(only.name).toMatch(/^News \d{4}-\d\d-\d\d$/);
  const messages = (await tester.get(`/v1/messages?filter[campaign_ids]=${only.id}`)).body.data;
  expect(messages).toMatchObject([{ text: 'Hi again', test: true }]);
  const series = (await tester.get(path)).body.data;
  expect(series).toMatchObject({ status: 'scheduled', fanned_out: 0 });
  expect(series.next_runs).toHaveLength(1);
  expect((await skip(series.schedule)).body.data).toMatchObject({ status: 'completed', next_runs: [] });
  expect((await tester.put(path, { status: 'in_progress' })).status).toBe(409);
  expect(await liveRows()).toEqual(before);
  expect((await owner.get(`/v1/campaigns?filter[series_id]=${id}`)).body.data).toEqual([]);
});

test('users see test-key campaigns in a separate list, marked as test', async () => {
  const audience = await makeTestAudience([contact(testNumber(91))]);
  const body = { name: 'Seen by users', channel: 'SMS', from, audience, text: 'Hi', start: false };
  const { id } = (await tester.post('/v1/campaigns', body)).body.data;
  const list = (caller: Caller, filter = '[search]=seen by') => caller.get(`/v1/test_campaigns?filter${filter}`);
  expect((await list(owner)).body.data).toMatchObject([{ id, is_test: true, status: 'in_complete' }]);
  expect((await list(owner, '[statuses]=completed')).body.data.map((row: { id: string }) => row.id)).not.toContain(id);
  expect((await owner.get(`/v1/test_campaigns/${id}`)).body.data).toMatchObject({
    name: 'Seen by users',
    is_test: true,
  });
  expect((await list(stranger)).body.data).toEqual([]);
  for (const path of [`/v1/test_campaigns/${newId()}`, `/v1/campaigns/${id}`])
    expect((await owner.get(path)).status).toBe(404);
  expect((await stranger.get(`/v1/test_campaigns/${id}`)).status).toBe(404);
  const user = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15 } });
  expect(codeIn(await list(world.as(user.token)))).toBe(1136);
});
