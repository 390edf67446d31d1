import {
  CONDITION_OPERATORS,
  CONDITION_SUBJECTS,
  type Condition,
  type ConditionGroup,
  type ConditionKind,
  Conditions,
} from '@parley/contract/audiences/conditions.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { matches, type Someone } from '../../test/conditions/oracle.ts';
import { type Company, makeCompany, testNumber } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { estimateCount, selectPeople } from './conditions.ts';

const PEOPLE = 80;
const NOW = new Date('2027-03-14T10:30:00Z');
const DAY_MS = 86_400_000;
const AUDIENCES = [newId(), newId()];
const WORDS = ['ann', 'Ann', 'Bo', 'annex', '50%', 'a_b'];
const DATES = ['2027-02-28', '2027-03-13', '2027-03-14', '2027-03-15', '2027-04-01'];
const TAGS = ['vip', 'VIP', 'new', 'old'];
const LANGUAGES = ['en', 'en-GB', 'de'];
const NETWORKS = ['23415', '23433'];
/** Prefixes of the networks. The longer one wins. */
const PREFIXES = [
  ['44741', '23415'],
  ['44741000000', '23433'],
] as const;
const FIELDS = { city: 'text', visits: 'number', renewal: 'date', member: 'boolean', plan: 'choice' } as const;
const PLANS = ['Basic', 'Gold'];

let world: World;
let company: Company;
let people: Someone[];

const ago = fc.integer({ min: 0, max: 60 }).map((days) => new Date(NOW.getTime() - days * DAY_MS + 3_600_000 - 1));
const maybe = <T>(values: readonly T[]) => fc.constantFrom(...values, '' as const);
const someone = fc.record({
  country: fc.constantFrom('GB', 'DE', 'US'),
  first_name: maybe(WORDS),
  last_name: maybe(WORDS),
  custom1: maybe(WORDS),
  custom2: maybe(WORDS),
  language: maybe(LANGUAGES),
  timezone: maybe(['Europe/Berlin', 'UTC']),
  tags: fc.uniqueArray(fc.constantFrom('vip', 'New', 'old'), { maxLength: 3 }),
  fields: fc.record(
    {
      city: fc.constantFrom(...WORDS),
      visits: fc.integer({ min: 0, max: 5 }),
      renewal: fc.constantFrom(...DATES),
      member: fc.boolean(),
      plan: fc.constantFrom(...PLANS),
    },
    { requiredKeys: [] },
  ),
  created: ago,
  audiences: fc.subarray(AUDIENCES),
  consents: fc.array(
    fc.record({
      channel: fc.constantFrom(null, 'SMS' as const, 'WHATSAPP' as const),
      purpose: fc.constantFrom(null, 'marketing', 'transactional'),
      change: fc.constantFrom('given', 'withdrawn', 'reinstated'),
    }),
    { maxLength: 3 },
  ),
  messages: fc.array(
    fc.record({
      direction: fc.constantFrom('MT', 'MT', 'MO'),
      status: fc.constantFrom('sent', 'delivered', 'read', 'failed', 'rejected', 'expired'),
      channel: fc.constantFrom('SMS' as const, 'WHATSAPP' as const),
      at: ago,
    }),
    { maxLength: 3 },
  ),
  clicks: fc.array(ago, { maxLength: 2 }),
});

const SUBJECTS: Readonly<Record<string, { kind: ConditionKind; channel?: 'optional' | 'required' }>> = {
  ...CONDITION_SUBJECTS,
  ...Object.fromEntries(Object.entries(FIELDS).map(([key, kind]) => [`fields.${key}`, { kind }])),
};
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  country: ['GB', 'DE', 'US'],
  network: NETWORKS,
  language: LANGUAGES,
  timezone: ['europe/berlin', 'UTC'],
  tags: TAGS,
  audiences: AUDIENCES,
  'fields.plan': ['basic', 'Gold', 'Silver'],
};

const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(
    ...Object.entries(SUBJECTS).flatMap(([subject, { kind, channel }]) =>
      Object.entries(CONDITION_OPERATORS[kind]).map(([operator, { takes }]) => ({ subject, operator, takes, channel })),
    ),
  )
  .chain(({ subject, operator, takes, channel }) => {
    const texts = TEXTS[subject] ?? WORDS;
    const values: Readonly<Record<string, fc.Arbitrary<Condition['value']>>> = {
      nothing: fc.constant(undefined),
      text: fc.constantFrom(...texts),
      texts: fc.subarray([...texts], { minLength: 1 }),
      number: fc.integer({ min: 0, max: 5 }),
      date: fc.constantFrom(...DATES),
      days: fc.integer({ min: 1, max: 40 }),
      purpose: fc.constantFrom('marketing', 'transactional'),
    };
    const channels =
      channel === undefined ? [undefined] : channel === 'required' ? ['SMS' as const] : [null, 'SMS' as const];
    return fc
      .tuple(values[takes]!, fc.constantFrom(...channels))
      .map(([value, chosen]) => ({ subject, operator, value, channel: chosen }));
  });
const group = (node: fc.Arbitrary<Condition | ConditionGroup>): fc.Arbitrary<ConditionGroup> =>
  fc.record({ match: fc.constantFrom('all', 'any'), conditions: fc.array(node, { minLength: 1, maxLength: 3 }) });
const tree = group(fc.oneof(condition, group(fc.oneof(condition, group(condition)))));

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock: heldClock(NOW) });
  company = await makeCompany(world.kernel);
  people = fc
    .sample(someone, { numRuns: PEOPLE, seed: 7 })
    .map((one, index) => ({ ...one, number: testNumber(index), network: index < 10 ? '23433' : '23415' }));
  await storePeople();
});
afterAll(() => world?.stop());

async function storePeople(): Promise<void> {
  const { db } = world.kernel;
  const { account_id } = company;
  await db.run(sql`
    insert into networks (mccmnc, name, country)
    select mccmnc, mccmnc, 'GB' from unnest(${NETWORKS}::text[]) as n(mccmnc)`);
  for (const [prefix, mccmnc] of PREFIXES)
    await db.run(sql`insert into network_prefixes (prefix, mccmnc) values (${prefix}, ${mccmnc})`);
  for (const [key, kind] of Object.entries(FIELDS))
    await db.run(sql`
      insert into contact_fields (account_id, id, key, label, kind, choices)
      values (${account_id}, ${newId()}, ${key}, ${key}, ${kind}, ${kind === 'choice' ? PLANS : []}::text[])`);
  for (const [index, id] of AUDIENCES.entries()) {
    const count = people.filter(({ audiences }) => audiences.includes(id)).length;
    await db.run(sql`
      insert into audiences (account_id, id, name, contacts_count)
      values (${account_id}, ${id}, ${`List ${index}`}, ${count})`);
  }
  await db.tx(async (tx) => {
    for (const one of people) {
      const { number, country } = one;
      await tx.run(sql`
        insert into people (account_id, id, number, country, first_name, last_name, custom1, custom2, language,
          timezone, tags, fields, create_date)
        values (${account_id}, ${newId()}, ${number}, ${country}, ${one.first_name}, ${one.last_name}, ${one.custom1},
                ${one.custom2}, ${one.language}, ${one.timezone}, ${one.tags}::text[],
                ${JSON.stringify(one.fields)}::jsonb, ${one.created})`);
      for (const audience_id of one.audiences)
        await tx.run(sql`
          insert into contacts (account_id, audience_id, id, number, country)
          values (${account_id}, ${audience_id}, ${newId()}, ${number}, ${country})`);
      for (const [index, { channel, purpose, change }] of one.consents.entries())
        await tx.run(sql`
          insert into consents (account_id, id, number, channel, purpose, change, method, create_date)
          values (${account_id}, ${newId()}, ${number}, ${channel}, ${purpose}, ${change}, 'api',
                  ${new Date(NOW.getTime() - DAY_MS + index)})`);
      for (const { direction, status, channel, at } of one.messages)
        await tx.run(sql`
          insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
            text, segments_count, encoding, currency, source, create_date)
          values (${account_id}, ${newId(at.getTime())}, ${direction}, ${channel},
                  ${direction === 'MO' ? 'received' : status}, ${newId()}, 'Acme', ${number}, ${number}, ${country},
                  'Hi', 1, 'GSM-7', 'USD', 'api', ${at})`);
      for (const at of one.clicks)
        await tx.run(sql`
          insert into link_clicks (account_id, id, link_id, kind, is_unique, device, number, click_date)
          values (${account_id}, ${newId()}, ${newId()}, 'person', true, 'phone', ${number}, ${at})`);
    }
  });
}

const find = async (root: ConditionGroup): Promise<string[]> => {
  const where = await selectPeople(world.kernel.db, company.account_id, root, NOW);
  const rows = await world.kernel.db.rows<{ number: string }>(
    sql`select p.number from people p where ${where} order by p.number`,
  );
  return rows.map(({ number }) => number);
};
const expected = (root: ConditionGroup): string[] =>
  people
    .filter((one) => matches(one, root, NOW))
    .map(({ number }) => number)
    .sort();

test('every operator of every subject finds the same people as an evaluation in memory', async () => {
  const conditions = fc.sample(condition, { numRuns: 400, seed: 11 });
  const used = new Set(conditions.map(({ subject, operator }) => `${subject} ${operator}`));
  expect(used.size).toBeGreaterThan(70);
  for (const one of conditions) {
    const root: ConditionGroup = { match: 'all', conditions: [one] };
    expect(Conditions.safeParse(root).error, JSON.stringify(one)).toBeUndefined();
    expect(await find(root), JSON.stringify(one)).toEqual(expected(root));
  }
});

test('random groups of conditions find the same people as an evaluation in memory', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (root) => {
      expect(await find(root)).toEqual(expected(root));
    }),
    { numRuns: 150, seed: 3 },
  );
});

test('an estimate from a sample is close to the count, and a small account is counted exactly', async () => {
  const big = await makeCompany(world.kernel);
  const count = 20_000;
  await world.kernel.db.run(sql`
    insert into people (account_id, id, number, country)
    select ${big.account_id}, gen_random_uuid(), 447400000000 + n, case n % 4 when 0 then 'GB' else 'DE' end
    from generate_series(1, ${count}) n`);
  const root: ConditionGroup = {
    match: 'all',
    conditions: [{ subject: 'country', operator: 'is_one_of', value: ['GB'] }],
  };
  const where = await selectPeople(world.kernel.db, big.account_id, root, NOW);
  const estimate = await estimateCount(world.kernel.db, big.account_id, where);
  expect(estimate.is_estimate).toBe(true);
  // Four standard errors of the sample.
  expect(Math.abs(estimate.count - count / 4)).toBeLessThan((count / 4) * 0.13);
  expect(await estimateCount(world.kernel.db, big.account_id, where, 2 * count)).toEqual({
    count: count / 4,
    is_estimate: false,
  });
});
