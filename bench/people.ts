/** Adds many people to an account, in one statement. */
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import type { Rig } from './rig.ts';

/**
 * Returns the ID of an audience with `count` contacts, whose numbers begin with index `first`. Every second person has
 * the tag `vip`.
 */
export async function addPeople(rig: Rig, account_id: string, count: number, first = 0): Promise<string> {
  const audience_id = newId();
  await rig.kernel.db.tx(async (tx) => {
    await tx.run(sql`
      insert into audiences (account_id, id, name, contacts_count)
      values (${account_id}, ${audience_id}, ${`Audience ${audience_id.slice(-8)}`}, ${count})`);
    await tx.run(sql`
      insert into contacts (account_id, audience_id, id, number, country, first_name)
      select ${account_id}::uuid, ${audience_id}::uuid, gen_random_uuid(), '4474' || (10000000 + ${first}::int + n),
        'GB', 'Ann'
      from generate_series(0, ${count - 1}::int) n`);
    await tx.run(sql`
      update people set tags = '{vip}' where account_id = ${account_id} and number like '%0'`);
  }, 'copy');
  await rig.kernel.db.run(sql`analyze people, contacts`);
  return audience_id;
}
