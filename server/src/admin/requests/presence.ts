/**
 * Shows operators who else has the same request open, so that they do not do the same work twice. It locks nothing: the
 * first decision counts. If an operator's page sends nothing for a minute, the operator is considered gone.
 */
import { requestPresenceChanged } from '@parley/contract/admin/requests.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { requireRequest } from './requests.ts';

interface Presence {
  user_id: string;
  name: string;
  since: string;
}

/** Emits an event when an operator opens or leaves the request, but not while the operator stays on it. */
export async function setPresence(ctx: Ctx, id: string, is_present: boolean): Promise<{ others: Presence[] }> {
  const { tx, actor } = ctx;
  const { kind } = await requireRequest(tx, actor, id);
  const user_id = actor.user_id!;
  await tx.run(sql`delete from request_presence where seen_date < ${tx.now}::timestamptz - interval '1 minute'`);
  const has_changed = is_present
    ? (
        await tx.one<{ is_new: boolean }>(sql`
          insert into request_presence (request_id, user_id, user_name, start_date, seen_date)
          select ${id}, id, trim(first_name || ' ' || last_name), ${tx.now}, ${tx.now} from users where id = ${user_id}
          on conflict (request_id, user_id) do update set seen_date = excluded.seen_date
          returning xmax = 0 as is_new`)
      ).is_new
    : (await tx.run(sql`delete from request_presence where request_id = ${id} and user_id = ${user_id}`)) > 0;
  if (has_changed) await emitToOperators(tx, requestPresenceChanged, { id, kind, user_id });
  return {
    others: await tx.rows<Presence>(sql`
      select user_id, user_name as name, start_date as since from request_presence
      where request_id = ${id} and user_id <> ${user_id} order by start_date, user_id limit 20`),
  };
}
