/**
 * Two operators who have the same request open are told of each other, so that they do not do the same work twice. It locks nothing: whoever decides
 * first has decided. Who was not heard of for a minute looks no longer.
 */
import { requestLooked } from '@parley/contract/admin/requests.ts';
import { emitToOperators } from '../accounts/accounts.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { demandRequest } from './requests.ts';

export interface Look {
  user_id: string;
  name: string;
  since: string;
}

/** Coming and going is told live; staying is not. */
export async function putLook(ctx: Ctx, id: string, looking: boolean): Promise<{ others: Look[] }> {
  const { tx, actor } = ctx;
  const { kind } = await demandRequest(tx, actor, id);
  const user_id = actor.user_id!;
  await tx.run(sql`delete from request_presence where seen_date < ${tx.now}::timestamptz - interval '1 minute'`);
  const changed = looking
    ? (
        await tx.one<{ came: boolean }>(sql`
          insert into request_presence (request_id, user_id, user_name, start_date, seen_date)
          select ${id}, id, trim(first_name || ' ' || last_name), ${tx.now}, ${tx.now} from users where id = ${user_id}
          on conflict (request_id, user_id) do update set seen_date = excluded.seen_date
          returning xmax = 0 as came`)
      ).came
    : (await tx.run(sql`delete from request_presence where request_id = ${id} and user_id = ${user_id}`)) > 0;
  if (changed) await emitToOperators(tx, requestLooked, { id, kind, user_id });
  return {
    others: await tx.rows<Look>(sql`
      select user_id, user_name as name, start_date as since from request_presence
      where request_id = ${id} and user_id <> ${user_id} order by start_date, user_id limit 20`),
  };
}
