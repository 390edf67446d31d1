/** Compares the message log, which is read with the counted slots, with a naive selection of the messages. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt } from '../kernel/clock.ts';
import { raw, sql } from '../kernel/db/db.ts';
import { findMark } from '../messages/messages.ts';
import type { LogFilter } from '../messages/thread/log_queries.ts';
import { countLogRows } from '../messages/thread/log_search.ts';
import { type Company, makeCompany, makeSender } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { countSlots } from './slots.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const CAMPAIGN = randomUUID();
let world: World;
let company: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
});
afterAll(() => world.stop());

/** Messages in bursts over 300 days; the time in an ID differs from the stored time by up to nine minutes. */
async function insertMessages(sender: { sender_id: string; code: string }, seed: number): Promise<void> {
  const messages = fc.sample(
    fc.record({
      burst: fc.integer({ min: 0, max: 24 }),
      within_ms: fc.integer({ min: 0, max: 40 * MINUTE }),
      drift_ms: fc.integer({ min: -9 * MINUTE, max: 9 * MINUTE }),
      status: fc.constantFrom('delivered', 'delivered', 'delivered', 'failed', 'read'),
      country: fc.constantFrom('GB', 'GB', 'GB', 'DE'),
      inbound: fc.constantFrom(false, false, false, true),
      channel: fc.constantFrom('SMS', 'VIBER'),
      mccmnc: fc.constantFrom(null, '23415'),
      in_campaign: fc.boolean(),
    }),
    { numRuns: 250, seed },
  );
  const now = Date.now();
  const rows = messages.map((one, index) => {
    const at = now - ((one.burst * one.burst) / 576) * 300 * DAY - one.within_ms;
    const id = `${idAt(at + Math.min(one.drift_ms, now - at)).slice(0, 14)}7${randomUUID().slice(15)}`;
    return { ...one, id, at: new Date(at).toISOString(), number: `44741${seed}${String(index).padStart(6, '0')}` };
  });
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, mccmnc,
      text, segments_count, encoding, currency, source, create_date, campaign_id)
    select ${company.account_id}, r.id, case when r.inbound then 'MO' else 'MT' end, r.channel,
      case when r.inbound then 'received' else r.status end, ${sender.sender_id}, ${sender.code}, r.number, r.number,
      r.country, r.mccmnc, 'Hello', 1, 'GSM-7', 'USD', 'api', r.at::timestamptz,
      case when r.in_campaign and not r.inbound then ${CAMPAIGN}::uuid end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, inbound boolean, channel text, status text,
      number text, country text, mccmnc text, at text, in_campaign boolean)`);
}

const FILTERS: [query: string, filter: Partial<LogFilter>, condition: string][] = [
  ['', {}, 'true'],
  ['filter[statuses]=failed', { statuses: ['failed'] }, `status = 'failed'`],
  ['filter[statuses]=failed,read', { statuses: ['failed', 'read'] }, `status in ('failed', 'read')`],
  ['filter[countries]=DE', { countries: ['DE'] }, `country = 'DE'`],
  [
    'filter[countries]=DE&filter[statuses]=read',
    { countries: ['DE'], statuses: ['read'] },
    `country = 'DE' and status = 'read'`,
  ],
  ['filter[countries]=FR', { countries: ['FR'] }, 'false'],
  ['filter[direction]=MO', { direction: 'MO' }, `direction = 'MO'`],
  [
    'filter[direction]=MT&filter[channel]=VIBER',
    { direction: 'MT', channel: 'VIBER' },
    `direction = 'MT' and channel = 'VIBER'`,
  ],
  ['filter[channel]=SMS', { channel: 'SMS' }, `channel = 'SMS'`],
  ['filter[networks]=unknown&filter[source]=api', { networks: ['unknown'], source: 'api' }, 'mccmnc is null'],
  [
    `filter[campaign_ids]=${CAMPAIGN.toUpperCase()}`,
    { campaign_ids: [CAMPAIGN.toUpperCase()] },
    `campaign_id = '${CAMPAIGN}'`,
  ],
  [
    `filter[campaign_ids]=${CAMPAIGN}&filter[to_prefix]=447411`,
    { campaign_ids: [CAMPAIGN], to_prefix: '447411' },
    `campaign_id = '${CAMPAIGN}' and number < '447412'`,
  ],
];

async function expectEqualLogs(): Promise<void> {
  const { account_id } = company;
  for (const [query, filter, condition] of FILTERS) {
    const expected = await world.kernel.db.rows<{ id: string }>(sql`
      select id from messages where account_id = ${account_id} and ${raw(condition)} order by id desc`);
    const ids = expected.map(({ id }) => id);
    expect(await readPages(`${query}&page_size=100`, 9), query).toEqual(ids);
    const ascending = await readPages(`${query}&page_size=50&sort=create_date`, 3);
    expect(ascending, `${query}, oldest first`).toEqual([...ids].reverse().slice(0, 150));
    for (const exact of [true, false])
      expect(await countLogRows(world.kernel.db, { account_id, ...filter }, exact)).toBe(ids.length);
    const fourth = await api.get(`/v1/messages?${query}&page_size=20&page=4`);
    expect(fourth.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(60, 80));
  }
}

async function readPages(query: string, most: number): Promise<string[]> {
  let path: string | null = `/v1/messages?${query}`;
  const ids: string[] = [];
  for (let page = 0; path && page < most; page++) {
    const { status, body, text } = await api.get(path);
    expect(status, text).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    path = body.pagination.links.next;
  }
  return ids;
}

test('the log finds the same messages when slots are counted and counted messages change', async () => {
  const sender = await makeSender(world.kernel, company.account_id);
  await insertMessages(sender, 1);
  await expectEqualLogs();
  await countSlots(world.kernel.db);
  expect(await findMark(world.kernel.db, company.account_id)).not.toBeNull();
  await expectEqualLogs();
  await insertMessages(sender, 2);
  await world.kernel.db.run(sql`
    update messages set status = 'failed' where account_id = ${company.account_id} and status = 'read'
      and country = 'GB'`);
  await expectEqualLogs();
  await countSlots(world.kernel.db);
  await expectEqualLogs();
});
