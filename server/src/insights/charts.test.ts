/** Compares every chart with a naive count of the messages, before and after slots are counted and messages change. */
import { randomUUID } from 'node:crypto';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import {
  CHART_DIMENSIONS,
  type ChartDimension,
  type Charts,
  type DeliveryCharts,
} from '@parley/contract/insights/charts.ts';
import { groupFilter } from '@parley/contract/insights/figures.ts';
import { CHARGES, FAILURES } from '@parley/contract/messages/messages.ts';
import { STATUSES } from '@parley/contract/messages/statuses.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt } from '../kernel/clock.ts';
import { raw, sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeKey, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { percentile } from './delivery.ts';
import { countSlots } from './slots.ts';

const DAY = 86_400_000;
const ZONE = 'Asia/Kathmandu';
let world: World;
let company: Company;
let api: Caller;
let senders: Awaited<ReturnType<typeof makeSender>>[];

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { timezone: ZONE });
  api = world.as(company.token);
  const { account_id } = company;
  senders = [await makeSender(world.kernel, account_id), await makeSender(world.kernel, account_id)];
});
afterAll(() => world.stop());

const CAMPAIGNS = [null, randomUUID(), randomUUID()];
const USERS = [null, randomUUID()];
const SOURCES = ['api', 'campaign', 'inbox'];
const arbitraryMessage = fc.record({
  age_ms: fc.integer({ min: 0, max: 20 * DAY }),
  status: fc.constantFrom(...STATUSES),
  channel: fc.constantFrom(...CHANNELS),
  country: fc.constantFrom('GB', 'AM', 'US'),
  mccmnc: fc.constantFrom(null, '23415', '28301'),
  sender: fc.constantFrom(0, 1),
  campaign: fc.constantFrom(0, 1, 2),
  user: fc.constantFrom(0, 1),
  source: fc.constantFrom(...SOURCES),
  charge: fc.constantFrom(...CHARGES),
  failure: fc.constantFrom(null, ...FAILURES),
  delay_s: fc.integer({ min: 0, max: 4_000 }),
  price_micros: fc.integer({ min: 0, max: 90_000 }),
  segments: fc.integer({ min: 1, max: 4 }),
});
type Input = typeof arbitraryMessage extends fc.Arbitrary<infer T> ? T : never;

let count = 0;
async function insertMessage(input: Input, now: number): Promise<void> {
  const at = new Date(now - input.age_ms);
  const id = `${idAt(at.getTime()).slice(0, 14)}7${randomUUID().slice(15)}`;
  const number = `4474100${String(++count).padStart(5, '0')}`;
  const { sender_id, code } = senders[input.sender]!;
  const entry = { at: new Date(at.getTime() + input.delay_s * 1000).toISOString(), status: input.status };
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, mccmnc,
      text, segments_count, encoding, price_micros, currency, charge, source, create_date, campaign_id, user_id,
      failure, timeline)
    values (${company.account_id}, ${id}, ${input.status === 'received' ? 'MO' : 'MT'}, ${input.channel},
      ${input.status}, ${sender_id}, ${code}, ${number}, ${number}, ${input.country}, ${input.mccmnc}, 'Hello',
      ${input.segments}, 'GSM-7', ${input.price_micros}, 'USD', ${input.charge}, ${input.source}, ${at},
      ${CAMPAIGNS[input.campaign] ?? null}, ${USERS[input.user] ?? null}, ${input.failure},
      ${JSON.stringify([entry])})`);
}

const COLUMNS: Record<ChartDimension, string> = {
  ...{ channel: 'channel', country: 'country', network: 'mccmnc', sender: 'sender_id', campaign: 'campaign_id' },
  ...{ source: 'source', status: 'status', price: 'charge', failure: 'failure', user: 'user_id', key: 'key_id' },
};
const SENT = `direction = 'MT' and status not in ('scheduled', 'canceled', 'received')`;
const ORACLE = raw(`
  count(*)::int as messages, count(*) filter (where ${SENT})::int as sent,
  count(*) filter (where ${SENT} and status in ('delivered', 'read'))::int as delivered,
  count(*) filter (where ${SENT} and status = 'read')::int as read,
  count(*) filter (where ${SENT} and status not in ('enroute', 'sent', 'delivered', 'read'))::int as failed,
  count(*) filter (where direction = 'MO')::int as received, coalesce(sum(segments_count), 0)::int as segments,
  coalesce(sum(price_micros) filter (where charge = 'settled'), 0)::bigint as spend_micros`);

/** Counts the messages of some days of the account without slots. */
const oracle = (by: ChartDimension, from: string, to: string, channel: string | null) =>
  world.kernel.db.rows<{ value: string; messages: number }>(sql`
    select coalesce(${raw(COLUMNS[by])}::text, '') as value, ${ORACLE} from messages
    where account_id = ${company.account_id} and (create_date at time zone ${ZONE})::date between ${from} and ${to}
      ${channel === null ? sql`` : sql`and channel = ${channel}`}
    group by 1 order by 2 desc, 1`);

const readCharts = async (search: string): Promise<Charts> => {
  const { status, body, text } = await api.get(`/v1/charts?${search}`);
  expect(status, text).toBe(200);
  return body.data;
};

async function compareAll(): Promise<void> {
  for (const [index, by] of CHART_DIMENSIONS.entries()) {
    const channel = index % 2 ? CHANNELS[index % CHANNELS.length]! : null;
    const filter = channel === null ? '' : `&filter[channel]=${channel}`;
    const charts = await readCharts(`by=${by}&days=${index % 3 ? 7 : 30}${filter}`);
    const { from, to } = charts.period;
    const groups = charts.groups.map(({ label: _, before: __, ...group }) => group);
    expect(groups, by).toEqual(await oracle(by, from, to, channel));
    const before = await oracle(by, charts.previous.from, charts.previous.to, channel);
    for (const row of charts.groups)
      expect(row.before.messages).toBe(before.find(({ value }) => value === row.value)?.messages ?? 0);
    for (const day of [charts.days[0]!, charts.days.at(-1)!, charts.days.at(-3)!]) {
      const rows = await oracle(by, day.date, day.date, channel);
      const sum = rows.reduce((total, { messages }) => total + messages, 0);
      expect(day.messages, `${by} ${day.date}`).toBe(sum);
    }
    const sum = (key: 'messages' | 'spend_micros') => charts.groups.reduce((all, row) => all + row[key]!, 0);
    expect([charts.total.messages, charts.total.spend_micros]).toEqual([sum('messages'), sum('spend_micros')]);
  }
}

test('every chart equals the messages of its days when slots are counted and messages change', async () => {
  const now = Date.now();
  const samples = fc.sample(arbitraryMessage, { numRuns: 240, seed: 15 });
  for (const input of samples.slice(0, 160)) await insertMessage(input, now);
  await compareAll();
  await Promise.all([countSlots(world.kernel.db), countSlots(world.kernel.db)]);
  await compareAll();
  // Old messages arrive, change, and disappear after they were counted.
  for (const input of samples.slice(160)) await insertMessage(input, now);
  const { db } = world.kernel;
  const { account_id } = company;
  await db.run(sql`
    update messages set status = 'read', charge = 'settled' where account_id = ${account_id} and status = 'delivered'`);
  await db.run(sql`delete from messages where account_id = ${account_id} and country = 'US' and channel = 'SMS'`);
  await compareAll();
  await countSlots(db);
  const noted = await db.one<{ count: number }>(sql`
    select count(*) from message_count_changes c join message_count_marks k on k.account_id = c.account_id
    where c.account_id = ${account_id} and c.slot < k.counted_until`);
  expect(noted.count).toBe(0);
  await compareAll();
});

/** The number of messages that the log finds. */
async function countLog(filter: Record<string, string>): Promise<number> {
  const search = Object.entries(filter).map(([name, value]) => `filter[${name}]=${value}`);
  const { status, body, text } = await api.get(`/v1/messages?${search.join('&')}`);
  expect(status, text).toBe(200);
  return body.pagination.total;
}

test.each(CHART_DIMENSIONS)('the groups by %s count the messages that the log lists for them', async (by) => {
  const { groups, period } = await readCharts(`by=${by}&days=30`);
  const at = new Date(Date.parse(`${period.from}T00:00:00Z`) - 345 * 60_000).toISOString();
  for (const { value, messages } of groups) {
    const filter = groupFilter(by, value);
    const created_date_start = at.slice(0, 19).replace('T', ' ');
    if (filter) expect(await countLog({ ...filter, created_date_start }), `${by} ${value}`).toBe(messages);
  }
});

test('the delivery charts count the same messages as the log, with delays that match the timelines', async () => {
  const { status, body } = await api.get('/v1/charts/delivery?days=30');
  expect(status).toBe(200);
  const { hours, reasons, total, networks } = body.data as DeliveryCharts;
  const sum = (rows: readonly { [key in 'sent' | 'failed']?: number }[], key: 'sent' | 'failed') =>
    rows.reduce((all, row) => all + row[key]!, 0);
  expect(sum(hours, 'sent')).toBe(total.sent);
  expect([sum(hours, 'failed'), sum(reasons, 'failed')]).toEqual([total.failed, total.failed]);
  expect(networks.reduce((all, { delivered }) => all + delivered, 0)).toBe(total.delivered);
  const exact = await world.kernel.db.rows<{ value: string; p50: number; p95: number }>(sql`
    select coalesce(mccmnc, '') as value, percentile_cont(0.5) within group (order by delay) as p50,
           percentile_cont(0.95) within group (order by delay) as p95
    from (select mccmnc, extract(epoch from (timeline->0->>'at')::timestamp at time zone 'UTC' - create_date)::float8
            as delay
          from messages where account_id = ${company.account_id} and status in ('delivered', 'read')
            and create_date > now() - interval '29 days') m
    group by 1`);
  for (const { value, p50, p95 } of exact) {
    const row = networks.find((one) => one.value === value)!;
    expect(Math.abs(row.p50 - p50) / p50).toBeLessThan(0.4);
    expect(Math.abs(row.p95 - p95) / p95).toBeLessThan(0.4);
  }
});

test('a percentile of a single step lies within the step', () => {
  expect(percentile([{ step: 0, delivered: 4 }], 0.5)).toBe(0.5);
  expect(
    percentile(
      [
        { step: 5, delivered: 1 },
        { step: 10, delivered: 99 },
      ],
      0.99,
    ),
  ).toBeLessThanOrEqual(20);
  expect(percentile([], 0.5)).toBe(0);
});

test('a chart names its groups and compares a chosen period with the days before it', async () => {
  const charts = await readCharts('by=sender&from=2026-03-01&to=2026-03-10');
  expect(charts.period).toEqual({ from: '2026-03-01', to: '2026-03-10' });
  expect(charts.previous).toEqual({ from: '2026-02-19', to: '2026-02-28' });
  expect(charts.days).toHaveLength(10);
  const { groups, time_zone } = await readCharts('by=sender&days=30');
  expect(groups.map(({ label }) => label).sort()).not.toContain(senders[0]!.sender_id);
  expect(time_zone).toBe(ZONE);
});

test('a chart counts the people who opted out, once each, and those of a channel', async () => {
  const { account_id, token } = await makeCompany(world.kernel);
  const { sender_id } = await makeSender(world.kernel, account_id);
  const stop = (n: number, days: number, reason: string, sender: string | null = null, change = 'stopped') => {
    const at = new Date(Date.now() - days * 86_400_000);
    return world.kernel.db.run(sql`
      insert into stop_list_history (account_id, id, number, sender_id, change, reason, create_date)
      values (${account_id}, ${`${idAt(at.getTime()).slice(0, 14)}7${randomUUID().slice(15)}`}, ${`44741000900${n}`},
              ${sender}, ${change}, ${reason}, ${at})`);
  };
  await stop(1, 2, 'keyword');
  await stop(1, 1, 'link', sender_id);
  await stop(2, 3, 'carrier', sender_id);
  await stop(3, 2, 'manual');
  await stop(4, 2, 'keyword', null, 'started');
  await stop(5, 9, 'link');
  const read = async (filter: string): Promise<Charts> =>
    (await world.as(token).get(`/v1/charts?days=7${filter}`)).body.data;
  expect((await read('')).opt_outs).toEqual({ total: 2, before: 1 });
  expect((await read('&filter[channel]=VIBER')).opt_outs).toEqual({ total: 1, before: 1 });
});

test('a chart is refused when its period or its caller is not allowed', async () => {
  for (const search of ['from=2026-01-01', 'from=2026-01-02&to=2026-01-01', 'from=2025-01-01&to=2026-01-02'])
    expect((await api.get(`/v1/charts?${search}`)).body.errors[0].code, search).toBe(2080);
  for (const search of ['from=2026-02-30&to=2026-03-01', 'days=8', 'by=text', 'filter[country]=GB', 'from=%00&to=%00'])
    expect((await api.get(`/v1/charts?${search}`)).status, search).toBe(400);
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const masked = (await world.as(agent.token).get('/v1/charts?days=30')).body.data as Charts;
  expect(masked.total.spend_micros).toBeNull();
  expect(masked.groups[0]!.spend_micros).toBeNull();
  expect(masked.total.messages).toBeGreaterThan(0);
  const stranger = await makeCompany(world.kernel);
  expect((await world.as(stranger.token).get('/v1/charts?days=90')).body.data.total.messages).toBe(0);
  const finance = await makeUser(world.kernel, company.account_id, { permissions: { PAYMENTS: 1 } });
  expect((await world.as(finance.token).get('/v1/charts')).status).toBe(403);
  const key = world.as({ key: await makeKey(world.kernel, company.account_id) });
  expect((await key.get('/v1/charts')).status).toBe(200);
});
