/** Adds tags to the people with the given numbers. */
import { MAX_TAGS } from '@parley/contract/audiences/limits.ts';
import { personChanged } from '@parley/contract/audiences/people.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';

const PORTION = 5_000;

/**
 * Tags that differ only in case are the same, and people with the most tags get no more. Returns the number of people
 * who got a tag. Numbers without a person are ignored.
 */
export async function tagPeople(
  tx: Tx,
  account_id: string,
  numbers: readonly string[],
  tags: readonly string[],
): Promise<number> {
  let tagged = 0;
  for (let from = 0; from < numbers.length; from += PORTION)
    tagged += await tx.run(sql`
      with fitting as (
        select p.id, (
          array(select t from unnest(${tags}::text[]) with ordinality as x(t, place)
            where lower(t) not in (select lower(own) from unnest(p.tags) as own) order by place)
        )[1:${MAX_TAGS}::int - cardinality(p.tags)] as added
        from unnest(${numbers.slice(from, from + PORTION)}::text[]) as n(number)
        join people p on p.account_id = ${account_id} and p.number = n.number
        order by p.id for update of p
      )
      update people p set tags = p.tags || f.added, update_date = ${tx.now}
      from fitting f where p.account_id = ${account_id} and p.id = f.id and cardinality(f.added) > 0`);
  // Screens read the whole list again after any event.
  if (tagged > 0) emit(tx, personChanged, account_id, { id: account_id, number: numbers[0]! });
  return tagged;
}
