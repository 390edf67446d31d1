import { randomUUID } from 'node:crypto';
import type { Anomaly } from '@parley/contract/insights/anomalies.ts';
import { STATUSES } from '@parley/contract/messages/statuses.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt, newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { readWords } from '../kernel/mail/mail.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { detectAnomalies, WEEKS } from './anomalies.ts';
import { DELAY_STEPS } from './slots.ts';
import { countHour, HOUR_MS, SETTLE_MS } from './traffic_hours.ts';

const WEEK_MS = 7 * 24 * HOUR_MS;
/** A Wednesday, 14:00 in UTC. */
const NOON = Date.UTC(2026, 10, 18, 14);
let world: World;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

async function makeOldCompany(options: Parameters<typeof makeCompany>[1] = {}): Promise<Company> {
  const company = await makeCompany(world.kernel, options);
  await world.kernel.db.run(sql`
    update accounts set create_date = ${new Date(NOON - 20 * WEEK_MS)} where id = ${company.account_id}`);
  return company;
}

interface Batch {
  at: number;
  count: number;
  failed?: number;
  country?: string;
  source?: string;
  connection_id?: string | null;
  delay_s?: number;
}

/** Inserts messages with the same price in the minutes after `at`; the first of them fail. */
async function insertMessages(account_id: string, batch: Batch): Promise<void> {
  const { at, count, failed = 0, country = 'GB', source = 'api', connection_id = null, delay_s = 5 } = batch;
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
      segments_count, encoding, price_micros, currency, charge, source, create_date, connection_id, timeline)
    select ${account_id}, overlay(${idAt(at)}::text placing substr(gen_random_uuid()::text, 15) from 15)::uuid, 'MT',
      'SMS', s.status, ${randomUUID()}, 'Shop', n::text, n::text, ${country}, 'Hello', 1, 'GSM-7', 40000, 'USD',
      'settled', ${source}, t.at, ${connection_id},
      jsonb_build_array(
        jsonb_build_object('at', to_char(t.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), 'status', 'enroute'),
        jsonb_build_object('at', to_char((t.at + ${delay_s}::int * interval '1 second') at time zone 'UTC',
          'YYYY-MM-DD HH24:MI:SS.MS'), 'status', s.status))
    from generate_series(1, ${count}::int) n
    cross join lateral (select ${new Date(at)}::timestamptz + n % 3000 * interval '1 second' as at) t
    cross join lateral (select case when n <= ${failed}::int then 'failed' else 'delivered' end as status) s`);
}

async function insertWeeks(account_id: string, batch: Omit<Batch, 'at'>, at = NOON): Promise<void> {
  for (let week = 1; week <= WEEKS; week++) await insertMessages(account_id, { ...batch, at: at - week * WEEK_MS });
}

/** Compares the hour that starts at `hour`, and no other. */
async function detect(company: Company, hour: number): Promise<void> {
  await world.kernel.db.run(sql`
    insert into anomaly_marks (account_id, judged_until) values (${company.account_id}, ${new Date(hour)})
    on conflict (account_id) do update set judged_until = greatest(anomaly_marks.judged_until, excluded.judged_until)`);
  await detectAnomalies(world.kernel, undefined, new Date(hour + HOUR_MS + SETTLE_MS));
}

const ALERTS = {
  enabled: true,
  metrics: ['error_rate', 'delivery_rate', 'volume', 'spend', 'latency'],
  sensitivity: 'medium',
  send_emails: true,
  emails: ['ops@example.com'],
  notify_in_app: true,
};
const turnOn = async (company: Company, change: object = {}) => {
  const reply = await world.as(company.token).put('/v1/anomaly_alerts', { ...ALERTS, ...change });
  expect(reply.status, reply.text).toBe(200);
};
const listAll = async (company: Company, search = ''): Promise<Anomaly[]> =>
  (await world.as(company.token).get(`/v1/anomalies?page_size=100${search}`)).body.data;
const listEvents = (company: Company) =>
  world.kernel.db.rows<{ type: string; live: boolean; payload: Anomaly }>(sql`
    select type, live, payload from events where account_id = ${company.account_id} and type like 'anomaly.%'
    order by id`);
const listMails = async ({ account_id }: Company) => {
  const rows = await world.kernel.db.rows<Parameters<typeof readWords>[1]>(
    sql`select * from mails where account_id = ${account_id} order by id`,
  );
  return Promise.all(rows.map(async (row) => ({ recipient: row.recipient, ...(await readWords(world.kernel, row)) })));
};

test('failures to one country are reported once with their figures, and so is their end', async () => {
  const company = await makeOldCompany();
  const { account_id } = company;
  await turnOn(company);
  for (const at of [NOON, NOON + HOUR_MS, NOON + 2 * HOUR_MS, NOON + 3 * HOUR_MS]) {
    await insertWeeks(account_id, { count: 200, failed: 4 }, at);
    await insertWeeks(account_id, { count: 200, failed: 4, country: 'ES' }, at);
    await insertMessages(account_id, { at, count: 210, failed: 5, country: 'ES' });
  }
  await insertMessages(account_id, { at: NOON, count: 190, failed: 90 });
  await insertMessages(account_id, { at: NOON + HOUR_MS, count: 200, failed: 80 });
  await insertMessages(account_id, { at: NOON + 2 * HOUR_MS, count: 200, failed: 3 });
  await insertMessages(account_id, { at: NOON + 3 * HOUR_MS, count: 200, failed: 5 });

  await detect(company, NOON);
  const [error, delivery, ...none] = (await listAll(company)).sort((a, b) => (a.metric > b.metric ? -1 : 1));
  expect(none).toEqual([]);
  expect(delivery).toMatchObject({ metric: 'delivery_rate', direction: 'below', value: 'GB' });
  expect(error).toMatchObject({
    ...{ metric: 'error_rate', scope: 'country', value: 'GB', label: 'United Kingdom', direction: 'above' },
    ...{ hour: '2026-11-18 14:00:00', sample: 190, expected: 0.02, low: null, end_date: null },
  });
  expect(error!.observed).toBeCloseTo(90 / 190, 9);
  expect(error!.high).toBeGreaterThan(0.02);
  expect(error!.compared).toHaveLength(WEEKS);
  expect(error!.compared[0]).toEqual({ hour: '2026-11-11 14:00:00', observed: 0.02, sample: 200 });

  // The numbers are those of the message log.
  const log = '/v1/messages?filter[direction]=MT&filter[countries]=GB&filter[created_date_start]=2026-11-18 14:00:00';
  const count = async (more: string) =>
    (await world.as(company.token).get(`${log}&filter[created_date_end]=2026-11-18 14:59:59${more}`)).body.pagination
      .total;
  expect([await count(''), await count('&filter[statuses]=undelivered')]).toEqual([190, 90]);

  await detect(company, NOON);
  await detect(company, NOON + HOUR_MS);
  expect(await listAll(company)).toHaveLength(2);
  await detect(company, NOON + 2 * HOUR_MS);
  expect(await listAll(company, '&filter[active]=true')).toHaveLength(2);
  await detect(company, NOON + 3 * HOUR_MS);
  expect(await listAll(company, '&filter[active]=true')).toEqual([]);
  const ended = await listAll(company, '&filter[metric]=error_rate');
  expect(ended[0]).toMatchObject({ end_reason: 'normal', latest: 0.025, latest_hour: '2026-11-18 17:00:00' });
  expect(ended[0]!.end_date).not.toBeNull();

  const events = await listEvents(company);
  expect(events.map(({ type, live }) => [type, live])).toEqual([
    ...[1, 2].map(() => ['anomaly.started', true]),
    ...[1, 2].map(() => ['anomaly.ended', true]),
  ]);
  expect(events[0]!.payload.compared).toHaveLength(WEEKS);
  const mails = await listMails(company);
  expect(mails.map(({ recipient }) => recipient)).toEqual(['ops@example.com', 'ops@example.com']);
  expect(mails[0]!.subject).toBe('2 anomalies started');
  expect(mails[0]!.text).toContain('Error rate to United Kingdom: 47.4% of 190 messages');
  expect(mails[0]!.text).toContain('2026-11-11: 2%');
  expect(mails[1]!.text).toContain('Error rate to United Kingdom is back to normal: 2.5%');
});

test('a drop, a surge, and slow receipts are reported, and campaigns are ignored', async () => {
  const company = await makeOldCompany();
  const { account_id } = company;
  await turnOn(company, { emails: [], notify_in_app: false });
  for (const country of ['DE', 'FR', 'IT', 'PT']) await insertWeeks(account_id, { count: 100, country });
  await insertMessages(account_id, { at: NOON, count: 10, country: 'DE' });
  await insertMessages(account_id, { at: NOON, count: 700, country: 'FR' });
  await insertMessages(account_id, { at: NOON, count: 100, country: 'IT', delay_s: 300 });
  await insertMessages(account_id, { at: NOON, count: 100, country: 'PT' });
  await insertMessages(account_id, { at: NOON, count: 2_000, country: 'PT', source: 'campaign', delay_s: 600 });
  await detect(company, NOON);
  const found = (await listAll(company)).map(({ metric, value, direction }) => `${metric} ${value} ${direction}`);
  expect(found.sort()).toEqual(['latency IT above', 'spend FR above', 'volume DE below', 'volume FR above']);
  expect((await listEvents(company)).map(({ live }) => live)).toEqual([false, false, false, false]);
  const owner = await world.kernel.db.one<{ email: string }>(
    sql`select email from users where account_id = ${account_id}`,
  );
  expect((await listMails(company)).map(({ recipient }) => recipient)).toEqual([owner.email]);

  // Users without permission to see payments do not see the spend.
  const member = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 15 } });
  const seen: Anomaly[] = (await world.as(member.token).get('/v1/anomalies')).body.data;
  expect(seen.map(({ metric }) => metric)).not.toContain('spend');
  const spend = (await listAll(company)).find(({ metric }) => metric === 'spend')!;
  expect((await world.as(member.token).get(`/v1/anomalies/${spend.id}`)).body.errors[0].code).toBe(2318);
  const stranger = await makeOldCompany();
  expect((await world.as(stranger.token).get(`/v1/anomalies/${spend.id}`)).status).toBe(404);
  expect(await listAll(stranger)).toEqual([]);

  // Anomalies of a figure that is turned off end.
  await turnOn(company, { metrics: ['volume', 'latency', 'error_rate'], send_emails: false });
  expect(await listAll(company, '&filter[metric]=spend')).toMatchObject([{ end_reason: 'off' }]);
  await turnOn(company, { enabled: false });
  expect(await listAll(company, '&filter[active]=true')).toEqual([]);
});

test('two runs at once, and a run that was interrupted, report an anomaly once', async () => {
  const company = await makeOldCompany();
  await turnOn(company);
  await insertWeeks(company.account_id, { count: 100 });
  await insertMessages(company.account_id, { at: NOON, count: 100, failed: 70 });
  // A crash after the hours were counted.
  await world.kernel.db.tx((tx) => countHour(tx, company.account_id, new Date(NOON)));
  await Promise.all([detect(company, NOON), detect(company, NOON), detect(company, NOON)]);
  expect((await listAll(company)).map(({ metric }) => metric).sort()).toEqual(['delivery_rate', 'error_rate']);
  expect(await listEvents(company)).toHaveLength(2);
  expect(await listMails(company)).toHaveLength(1);
});

test('a new account, an account without alerts, and a missed day cause no alerts', async () => {
  const company = await makeCompany(world.kernel);
  const off = await makeOldCompany();
  await turnOn(company);
  for (const { account_id } of [company, off]) {
    await insertWeeks(account_id, { count: 100 });
    await insertMessages(account_id, { at: NOON, count: 100, failed: 100 });
  }
  await detect(company, NOON);
  await detect(off, NOON);
  expect([...(await listAll(company)), ...(await listAll(off))]).toEqual([]);
});

test('operators get alerts about a route, from the messages of all accounts', async () => {
  const operator = await makeOldCompany({ operator: true });
  const connection_id = newId();
  await world.kernel.db.run(sql`
    insert into connections (id, name, adapter, channel, settings, enabled, create_date)
    select ${connection_id}, 'North carrier', 'smpp', 'SMS', '{}', false, ${new Date(NOON - 20 * WEEK_MS)}`);
  const companies = [await makeOldCompany(), await makeOldCompany()];
  for (let week = WEEKS; week >= 0; week--) {
    const at = NOON - week * WEEK_MS;
    for (const { account_id } of companies)
      await insertMessages(account_id, { at, count: 40, failed: week === 0 ? 30 : 1, connection_id });
    await detect(operator, at);
  }
  const found = await listAll(operator);
  expect(found.map(({ metric, scope, label, sample }) => [metric, scope, label, sample]).sort()).toEqual([
    ['delivery_rate', 'route', 'North carrier', 80],
    ['error_rate', 'route', 'North carrier', 80],
  ]);
  const mails = await listMails(operator);
  expect(mails[0]!.text).toContain('Error rate on North carrier: 75% of 80 messages');
  expect(mails[0]!.text).toContain('/health?anomaly=');
});

const arbitraryMessage = fc.record({
  at: fc.integer({ min: -60, max: HOUR_MS / 1_000 + 60 }),
  country: fc.constantFrom('GB', 'ES'),
  route: fc.constantFrom(null, 0, 1),
  source: fc.constantFrom('api', 'campaign', 'inbox'),
  price: fc.integer({ min: 0, max: 90_000 }),
  charge: fc.constantFrom('held', 'settled', 'released'),
  direction: fc.constantFrom('MT', 'MT', 'MO'),
  changes: fc.array(fc.record({ after: fc.integer({ min: 0, max: 6_000 }), status: fc.constantFrom(...STATUSES) }), {
    maxLength: 3,
  }),
});

test('the counts of an hour equal those of a naive selection of its messages at the same age', async () => {
  const routes = [newId(), newId()];
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryMessage, { maxLength: 25 }), async (inputs) => {
      const { account_id } = await makeCompany(world.kernel);
      const messages = inputs.map((input) => {
        const at = NOON + input.at * 1_000;
        const changes = input.changes.toSorted((a, b) => a.after - b.after);
        const timeline = [{ after: 0, status: 'enroute' as const }, ...changes].map(({ after, status }) => ({
          at: new Date(at + after * 1_000).toISOString().slice(0, 23).replace('T', ' '),
          status,
        }));
        return { ...input, at, timeline, status: timeline.at(-1)!.status };
      });
      for (const [n, row] of messages.entries())
        await world.kernel.db.run(sql`
          insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
            text, segments_count, encoding, price_micros, currency, charge, source, create_date, connection_id,
            timeline)
          values (${account_id}, ${`${idAt(row.at).slice(0, 14)}7${randomUUID().slice(15)}`}, ${row.direction}, 'SMS',
            ${row.status}, ${randomUUID()}, 'Shop', ${n}::text, ${n}::text, ${row.country}, 'Hello', 1, 'GSM-7',
            ${row.price}, 'USD', ${row.charge}, ${row.source}, ${new Date(row.at)},
            ${row.route === null ? null : routes[row.route]!}, ${JSON.stringify(row.timeline)}::jsonb)`);
      await world.kernel.db.tx((tx) => countHour(tx, account_id, new Date(NOON)));

      const cutoff = new Date(NOON + HOUR_MS + SETTLE_MS).toISOString().slice(0, 23).replace('T', ' ');
      const seen = messages
        .filter(({ direction, at }) => direction === 'MT' && at >= NOON && at < NOON + HOUR_MS)
        .map((row) => ({ ...row, past: row.timeline.filter(({ at }) => at <= cutoff) }))
        .filter(({ past }) => !['scheduled', 'canceled'].includes(past.at(-1)!.status));
      const oracle = new Map<string, object>();
      for (const scope of ['country', 'route'] as const)
        for (const value of new Set(seen.map((row) => (scope === 'country' ? row.country : row.route)))) {
          if (value === null) continue;
          const rows = seen.filter((row) => (scope === 'country' ? row.country : row.route) === value);
          const now = (row: (typeof rows)[number]) => row.past.at(-1)!.status;
          const steady = rows.filter(({ source }) => source !== 'campaign');
          const delays: Record<string, number> = {};
          for (const row of steady) {
            const first = row.past.find(({ status }) => status === 'delivered' || status === 'read');
            if (!first) continue;
            const seconds = (Date.parse(`${first.at.replace(' ', 'T')}Z`) - row.at) / 1_000;
            const step = DELAY_STEPS.filter((limit) => limit <= seconds).length;
            const is_delivered = ['delivered', 'read'].includes(now(row));
            delays[step] = (delays[step] ?? 0) + (is_delivered ? 1 : 0);
          }
          oracle.set(`${scope} ${scope === 'country' ? value : routes[value as number]}`, {
            sent: rows.filter((row) => now(row) !== 'enroute').length,
            delivered: rows.filter((row) => ['delivered', 'read'].includes(now(row))).length,
            failed: rows.filter((row) =>
              ['failed', 'rejected', 'expired', 'blocked', 'unsubscribed'].includes(now(row)),
            ).length,
            volume: steady.length,
            spend_micros: steady.reduce((sum, row) => sum + (row.charge === 'released' ? 0 : row.price), 0),
            delays,
          });
        }
      const counted = await world.kernel.db.rows<{ scope: string; value: string }>(sql`
        select scope, value, sent, delivered, failed, volume, spend_micros, delays from traffic_hours
        where account_id = ${account_id} and scope <> 'account'`);
      expect(new Map(counted.map(({ scope, value, ...row }) => [`${scope} ${value}`, row]))).toEqual(oracle);
    }),
    { numRuns: 25 },
  );
});

test('the same hour follows the local clock when clocks change', async () => {
  const company = await makeOldCompany({ timezone: 'Europe/Berlin' });
  await turnOn(company);
  // The clocks changed on October 25, 2026: before, 15:00 in Berlin was 13:00 in UTC.
  const hours = [1, 2, 3].map((week) => NOON - week * WEEK_MS);
  const summer = [4, 5, 6].map((week) => NOON - week * WEEK_MS - HOUR_MS);
  for (const at of [...hours, ...summer]) await insertMessages(company.account_id, { at, count: 100 });
  await insertMessages(company.account_id, { at: NOON, count: 5 });
  await detect(company, NOON);
  const [found] = await listAll(company);
  expect(found).toMatchObject({ metric: 'volume', expected: 100 });
  expect(found!.compared.map(({ observed }) => observed)).toEqual([100, 100, 100, 100, 100, 100]);
});
