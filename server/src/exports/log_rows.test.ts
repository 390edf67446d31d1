/** An export of the message log has the same cells as its list. */
import { type AnyExportColumn, EXPORT_COLUMNS } from '@parley/contract/exports/columns.ts';
import { EXPORT_LISTS } from '@parley/contract/exports/lists.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { readPages } from '../kernel/http/list_calls.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { ROUTES } from '../modules.ts';
import { makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { readLogPages } from './log_rows.ts';

const ALL = EXPORT_COLUMNS.messages as readonly AnyExportColumn[];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.stop());

/** Characters that decide how a cell is written, between ordinary ones. */
const character = fc.constantFrom(
  ...[
    'a',
    'é',
    '👍',
    '1',
    '7',
    '0',
    ' ',
    '  ',
    ',',
    ';',
    '|',
    '\t',
    '\r',
    '\n',
    '"',
    "'",
    '=',
    '+',
    '-',
    '@',
    '(',
    ')',
    '.',
  ],
  ...[
    '\u00a0',
    '\u1680',
    '\u2003',
    '\u2028',
    '\u200b',
    '\u3000',
    '\ufeff',
    '\uff1d',
    '\uff0b',
    '\uff0d',
    '\uff20',
    '\\',
  ],
);
const anyText = fc.oneof(
  { arbitrary: fc.array(character, { maxLength: 8 }).map((parts) => parts.join('')), weight: 4 },
  {
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
    weight: 1,
  },
);
const anyAddress = fc.oneof(anyText, fc.constantFrom('447411100001', '123456', '1234567', 'Shop', '+4474'));

const message = fc.record({
  text: anyText,
  reason: fc.option(anyText),
  failure: fc.option(fc.constantFrom('rejected', 'expired')),
  from: anyAddress,
  to: anyAddress,
  direction: fc.constantFrom('MT', 'MO'),
  micros: fc.oneof(fc.constantFrom(0, 1, 40_000, 1_000_000), fc.nat(9_999_999_999)),
  purpose: fc.constantFrom(null, 'marketing', 'utility', 'Marketing', 'other'),
  mccmnc: fc.constantFrom(null, '99901', '99902', '99903'),
});

test('every cell of an export equals that of the list', { timeout: 120_000 }, async () => {
  const { account_id, token } = await makeCompany(world.kernel);
  const { db } = world.kernel;
  await db.run(sql`
    insert into networks (mccmnc, name, country)
    values ('99901', 'Plain', 'GB'), ('99902', 'A, "B" & C', 'GB'), ('99903', '=Formula', 'GB')`);
  const rows = fc.sample(message, { numRuns: 6_000, seed: 20_261_201 });
  const column = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
  await db.run(sql`
    insert into messages (account_id, id, sender_id, direction, channel, status, "from", "to", number, country, text,
      segments_count, encoding, price_micros, currency, charge, source, status_details, failure, mccmnc, content,
      create_date)
    select ${account_id}, t.id, ${newId()}, t.direction, 'SMS', 'failed', t."from", t."to", '4474' || n, 'GB',
      t.text, 1, 'GSM-7', t.micros, 'USD', 'none', 'api', t.reason, t.failure, t.mccmnc,
      case when t.purpose is not null then jsonb_build_object('purpose', t.purpose) end,
      timestamptz '2026-03-28 22:00:00Z' + n * interval '37 seconds'
    from unnest(${rows.map(() => newId())}::uuid[], ${column((row) => row.direction)}::text[],
      ${column((row) => row.from)}::text[], ${column((row) => row.to)}::text[], ${column((row) => row.text)}::text[],
      ${column((row) => row.micros)}::bigint[], ${column((row) => row.reason)}::text[],
      ${column((row) => row.failure)}::text[], ${column((row) => row.mccmnc)}::text[],
      ${column((row) => row.purpose)}::text[])
      with ordinality as t(id, direction, "from", "to", text, micros, reason, failure, mccmnc, purpose, n)`);
  const { id } = (await world.as(token).post('/v1/exports', { list: 'links', format: 'csv' })).body.data;
  const { actor } = await db.one<{ actor: Actor }>(sql`select actor from exports where id = ${id}`);
  const endpoint = EXPORT_LISTS.messages;
  const implementation = ROUTES.find((route) => route.endpoint.id === endpoint.id)!;
  const cases = [
    { columns: ALL, sort: null, who: actor, filter: {} },
    { columns: [...ALL].reverse(), sort: 'create_date', who: actor, filter: {} },
    { columns: ALL.filter(({ key }) => key !== 'network'), sort: null, who: actor, filter: { direction: 'MO' } },
    { columns: ALL, sort: '-create_date', who: { ...actor, permissions: { MESSAGES: 15 } }, filter: {} },
  ];
  for (const { columns, sort, who, filter } of cases) {
    const call = { endpoint, params: {}, filter, sort, isCounted: true };
    const toCells = (row: unknown) => columns.map((column) => column.value(row as never));
    const [exported, listed] = await db.tx(async (tx) => {
      const own: unknown[] = [];
      for await (const { data, pagination } of readLogPages(tx, who, call, columns)) {
        if (own.length === 0) expect(pagination.total).toBeGreaterThan(2_500);
        own.push(...data.map(toCells));
      }
      const all: unknown[] = [];
      for await (const { data } of readPages(world.kernel, implementation, tx, who, call))
        all.push(...data.map(toCells));
      return [own, all] as const;
    }, 'repeatable read');
    expect(exported).toEqual(listed);
  }
});
