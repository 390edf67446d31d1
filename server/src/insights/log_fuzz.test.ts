/**
 * Combines the filters of the message log at random and compares the messages and their number with a naive selection
 * in SQL. Each pair of filters occurs, and larger combinations by chance.
 */
import { randomUUID } from 'node:crypto';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { FAILURES } from '@parley/contract/messages/kinds.ts';
import { listMessages } from '@parley/contract/messages/messages.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt, newId } from '../kernel/clock.ts';
import { and, type Sql, sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeSender } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { countSlots } from './slots.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const ROWS = 400;
const USERS = [randomUUID(), randomUUID()] as const;
const KEYS = [randomUUID(), randomUUID()] as const;
const CAMPAIGNS = [randomUUID(), randomUUID()] as const;
const TEMPLATES = [randomUUID(), randomUUID()] as const;
/** Holds of several messages each, whose ids have the time of the hold. */
const HOLDS = [1, 30].map((days) => ({ at: Date.now() - days * DAY, id: newId(Date.now() - days * DAY) }));
const HELD = 8;
const SOURCES = ['api', 'smpp', 'campaign', 'inbox'] as const;
const STATUSES = ['delivered', 'failed', 'read', 'enroute', 'rejected'] as const;
const CATEGORIES = ['marketing', 'utility'] as const;
const VERIFICATIONS = ['verified', 'expired'] as const;
const CHARGES = ['none', 'settled', 'released'] as const;

let world: World;
let company: Company;
let api: Caller;
const senders: { sender_id: string; code: string }[] = [];

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
  for (const code of ['Harbour', 'Coffee']) senders.push(await makeSender(world.kernel, company.account_id, { code }));
  await insertMessages();
  await countSlots(world.kernel.db);
  // Messages that are not counted yet, and counted messages that change.
  await insertMessages();
  await world.kernel.db.run(sql`
    update messages set status = 'failed' where account_id = ${company.account_id} and status = 'read'
      and country = 'GB'`);
});
afterAll(() => world.stop());

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const rare = <T>(values: readonly T[]) => fc.option(some(values), { nil: null });

async function insertMessages(): Promise<void> {
  const messages = fc.sample(
    fc.record({
      burst: fc.integer({ min: 0, max: 12 }),
      within_ms: fc.integer({ min: 0, max: 40 * MINUTE }),
      ...{ direction: some(['MT', 'MT', 'MO']), channel: some(['SMS', 'SMS', 'VIBER']), status: some(STATUSES) },
      ...{ country: some(['GB', 'GB', 'DE']), mccmnc: rare(['23415', '26201']), sender: some(senders) },
      ...{ source: some(SOURCES), category: rare(CATEGORIES), verification: rare(VERIFICATIONS) },
      ...{ user_id: rare(USERS), key_id: rare(KEYS), campaign_id: rare(CAMPAIGNS), template_id: rare(TEMPLATES) },
      ...{ failure: rare(FAILURES), charge: some(CHARGES) },
    }),
    { numRuns: ROWS / 2 },
  );
  const now = Date.now();
  const rows = messages.map(({ sender, burst, within_ms, category, ...one }, index) => {
    const content = category && { ...NO_CONTENT, purpose: category };
    const hold = index < HELD ? HOLDS[index % HOLDS.length] : undefined;
    const at = hold ? hold.at + index : now - burst * burst * DAY - within_ms;
    const number = `4474${String(index * 499_999).padStart(8, '0')}`;
    const [from, to] = one.direction === 'MT' ? [sender.code, number] : [number, sender.code];
    const status = one.direction === 'MT' ? one.status : 'received';
    const id = `${idAt(at).slice(0, 14)}7${randomUUID().slice(15)}`;
    return {
      ...one,
      content,
      id,
      status,
      from,
      to,
      number,
      sender_id: sender.sender_id,
      hold_id: hold?.id ?? null,
      at: new Date(at).toISOString(),
    };
  });
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, mccmnc,
      text, segments_count, encoding, currency, source, create_date, campaign_id, user_id, key_id, template_id, failure,
      charge, content, verification_status, hold_id)
    select ${company.account_id}, r.id, r.direction, r.channel, r.status, r.sender_id, r.from, r.to, r.number,
      r.country, r.mccmnc, 'Hello', 1, 'GSM-7', 'USD', r.source, r.at::timestamptz, r.campaign_id, r.user_id, r.key_id,
      r.template_id, r.failure, r.charge,
      r.content, r.verification, r.hold_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, direction text, channel text, status text,
      sender_id uuid, "from" text, "to" text, number text, country text, mccmnc text, source text, at text,
      campaign_id uuid, user_id uuid, key_id uuid, template_id uuid, failure text, charge text, content jsonb,
      verification text, hold_id uuid)
    on conflict do nothing`);
}

/** A value in the call, and the naive condition. */
interface Filter {
  value: string;
  condition: Sql;
}
const days = (ago: number): string => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
const lists = <T extends string>(values: readonly T[], condition: (chosen: T[]) => Sql): fc.Arbitrary<Filter> =>
  fc
    .subarray([...values], { minLength: 1 })
    .map((chosen) => ({ value: chosen.join(','), condition: condition(chosen) }));
const words = (column: Sql, values: readonly string[]) =>
  lists(values, (chosen) => sql`${column}::text = any(${chosen}::text[])`);
const single = (column: Sql, values: readonly string[]) =>
  some(values).map((value) => ({ value, condition: sql`${column} = ${value}` }));

/** Every filter of the list, in the words of its documentation. */
const filters = (): Record<string, fc.Arbitrary<Filter>> => ({
  countries: words(sql`country`, ['GB', 'DE', 'FR']),
  sender_ids: words(sql`sender_id`, [...senders.map(({ sender_id }) => sender_id), randomUUID()]),
  campaign_ids: words(sql`campaign_id`, CAMPAIGNS),
  statuses: words(sql`status`, [...STATUSES, 'received']),
  direction: single(sql`direction`, ['MT', 'MO']),
  channel: single(sql`channel`, ['SMS', 'VIBER']),
  source: single(sql`source`, SOURCES),
  wa_categories: lists(['MARKETING', 'UTILITY'], (chosen) => sql`upper(content->>'purpose') = any(${chosen}::text[])`),
  verification_statuses: words(sql`verification_status`, VERIFICATIONS),
  networks: lists(['23415', '26201', 'unknown'], (chosen) => sql`coalesce(mccmnc, 'unknown') = any(${chosen}::text[])`),
  user_ids: words(sql`user_id`, USERS),
  key_ids: words(sql`key_id`, KEYS),
  failures: words(sql`failure`, FAILURES),
  template_ids: words(sql`template_id`, TEMPLATES),
  hold_id: single(sql`hold_id`, [...HOLDS.map(({ id }) => id), randomUUID()]),
  charge: single(sql`charge`, CHARGES),
  from: single(sql`"from"`, ['Harbour', 'Coffee', '447400000000', 'Nobody']),
  to: single(sql`"to"`, ['Harbour', 'Coffee', '447400000000']),
  to_prefix: some(['4474', '44741', '447412', '9']).map((value) => ({
    value,
    condition: sql`number like ${`${value}%`}`,
  })),
  created_date_start: some([0, 3, 40, 130].map(days)).map((value) => ({
    value,
    condition: sql`create_date >= ${`${value} 00:00:00Z`}::timestamptz`,
  })),
  created_date_end: some([1, 10, 60, 200].map(days)).map((value) => ({
    value,
    condition: sql`create_date < ${`${value} 00:00:00Z`}::timestamptz + interval '1 day'`,
  })),
});

async function expectEqual(chosen: Readonly<Record<string, Filter>>): Promise<void> {
  const query = Object.entries(chosen)
    .map(([name, { value }]) => `filter[${name}]=${encodeURIComponent(value)}`)
    .join('&');
  const conditions = and([
    sql`account_id = ${company.account_id}`,
    ...Object.values(chosen).map((one) => one.condition),
  ]);
  const rows = await world.kernel.db.rows<{ id: string }>(sql`
    select id from messages where ${conditions} order by id desc`);
  const { status, body, text } = await api.get(`/v1/messages?page_size=1000&${query}`);
  expect([query, status, status === 200 ? '' : text]).toEqual([query, 200, '']);
  expect([query, ...body.data.map(({ id }: { id: string }) => id)]).toEqual([query, ...rows.map(({ id }) => id)]);
  expect([query, body.pagination.total]).toEqual([query, rows.length]);
}

test('the fuzz covers every filter of the log', () => {
  const { filter } = listMessages.query.shape;
  expect(Object.keys(filters()).toSorted()).toEqual(Object.keys(filter.unwrap().shape).toSorted());
});

test('every pair of filters finds the messages of a naive selection', async () => {
  const all = Object.entries(filters());
  const pairs = all.flatMap(([name, values], at) => all.slice(at + 1).map((other) => ({ name, values, other })));
  expect(pairs).toHaveLength(210);
  for (const { name, values, other } of pairs) {
    const [first, second] = [fc.sample(values, 1)[0]!, fc.sample(other[1], 1)[0]!];
    await expectEqual({ [name]: first, [other[0]]: second });
  }
}, 60_000);

test('random combinations of filters find the messages of a naive selection', async () => {
  const combination = fc.record(filters(), { requiredKeys: [] }) as fc.Arbitrary<Record<string, Filter>>;
  await fc.assert(fc.asyncProperty(combination, expectEqual), { numRuns: 120 });
}, 60_000);
