import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { findLongestRuns } from './runs.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const FIRST = 447_733_000_000;

/** Stores messages of this hour to consecutive numbers. */
async function store(account_id: string, sender_id: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, newId);
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                          segments_count, encoding, price_micros, currency, charge, source)
    select ${account_id}, id, 'MT', 'SMS', 'sent', ${sender_id}, 'Acme', (${FIRST}::bigint + n)::text,
           (${FIRST}::bigint + n)::text, 'GB', 'Hello', 1, 'GSM-7', 0, 'USD', 'none', 'api'
    from unnest(${ids}::uuid[]) with ordinality as t(id, n)`);
}

test('a run of an account with many new messages is found with a few index lookups', async () => {
  const { db } = world.kernel;
  const company = await makeCompany(world.kernel);
  const { account_id } = company;
  const { sender_id } = await makeSender(world.kernel, account_id);
  await store(account_id, sender_id, 1);
  // From now on, PostgreSQL expects that the account has few messages.
  await db.run(sql`analyze messages`);
  await store(account_id, sender_id, 3_000);
  await db.tx(async (tx) => {
    const numbers = Array.from({ length: 20 }, (_, n) => ({ number: String(FIRST + 1_000 + n) }));
    const runs = await findLongestRuns(tx, account_id, 'messages', numbers, 20);
    expect([...runs.values()]).toEqual([101]);
    const { rows } = await tx.one<{ rows: number }>(sql`
      select idx_tup_fetch::int as rows from pg_stat_xact_user_tables where relname = 'messages'`);
    expect(rows).toBeLessThan(1_000);
  });
});
