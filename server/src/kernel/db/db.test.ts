import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { jsonArray, runTogether, sql, textArray } from './db.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  await world.kernel.db.run(sql`create table notes (n int primary key, at timestamptz default clock_timestamp())`);
});
afterAll(() => world.stop());
beforeEach(() => world.kernel.db.run(sql`delete from notes`));

const note = (n: number) => sql`insert into notes (n) values (${n})`;
const storedNotes = async () =>
  (await world.kernel.db.rows<{ n: number }>(sql`select n from notes order by at`)).map((row) => row.n);

describe('statements in a transaction', () => {
  test('run in the order they were started and return their own results', async () => {
    const results = await world.kernel.db.tx((tx) =>
      runTogether(tx.run(note(3)), tx.one<{ n: number }>(sql`select count(*)::int as n from notes`), tx.run(note(1))),
    );
    expect(results).toEqual([1, { n: 1 }, 1]);
    expect(await storedNotes()).toEqual([3, 1]);
  });

  test('report the error of the failed statement, are rolled back, and leave the connection usable', async () => {
    const { db } = world.kernel;
    await db.run(note(1));
    const outcome = db.tx((tx) => runTogether(tx.run(note(2)), tx.run(note(1)), tx.run(note(3))));
    await expect(outcome).rejects.toMatchObject({ code: '23505' });
    expect(await storedNotes()).toEqual([1]);
    await db.tx((tx) => runTogether(tx.run(note(4)), tx.run(note(5))));
    expect(await storedNotes()).toEqual([1, 4, 5]);
  });

  test('finish before the transaction ends, even when another branch fails first', async () => {
    const { db } = world.kernel;
    const slow = async (run: (n: number) => Promise<number>) => {
      await run(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await run(2);
    };
    const outcome = db.tx((tx) =>
      runTogether(
        slow((n) => tx.run(note(n))),
        Promise.reject(new Error('second statement failed')),
      ),
    );
    await expect(outcome).rejects.toThrow('second statement failed');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await storedNotes()).toEqual([]);
  });

  test('are rolled back without callbacks when a statement sent with the commit fails', async () => {
    let is_called = false;
    const outcome = world.kernel.db.tx(async (tx) => {
      await tx.run(note(1));
      tx.afterCommit(() => {
        is_called = true;
      });
      tx.beforeCommit('late', async (lateTx) => void (await lateTx.run(sql`select 1 / ${0}::int`)));
    });
    await expect(outcome).rejects.toMatchObject({ code: '22012' });
    expect([await storedNotes(), is_called]).toEqual([[], false]);
  });

  test('use the "by index" settings only until the transaction ends', async () => {
    const { db } = world.kernel;
    const plan_settings = sql`
      select current_setting('enable_seqscan') as scan, current_setting('enable_hashjoin') as hash,
        current_setting('plan_cache_mode') as plan`;
    const defaults = { scan: 'on', hash: 'on', plan: 'auto' };
    expect(await db.tx((tx) => tx.one(plan_settings), 'by index')).toEqual({
      scan: 'off',
      hash: 'off',
      plan: 'force_generic_plan',
    });
    expect(await Promise.all(Array.from({ length: 12 }, () => db.one(plan_settings)))).toEqual(
      Array(12).fill(defaults),
    );
  });
});

test('a value from outside that looks like SQL text stays a value', async () => {
  const input = JSON.parse('{"strings":["1; drop table notes; --"],"values":[]}') as object;
  expect(sql`select ${input}::jsonb as given`).toMatchObject({ values: [input] });
});

test('arrays of texts and JSON keep quotation marks, control characters, and missing values', async () => {
  const values = [{ text: 'She said "hi" \\ {a,b} \u001f\u0000 😀' }, null, 'NULL', [1, 'two'], undefined];
  const rows = await world.kernel.db.rows<{ value: unknown }>(sql`
    select value::text from unnest(${jsonArray(values)}) as t(value)`);
  expect(rows.map(({ value }) => value)).toEqual(values.map((value) => JSON.stringify(value) ?? null));
  for (const texts of [['a,"b"', '', 'NULL'], []])
    expect(await world.kernel.db.one(sql`select ${textArray(texts)} as texts`)).toEqual({
      texts: texts.map((text) => text || null),
    });
});
