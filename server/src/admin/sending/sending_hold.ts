/** Shows operators why sending is held after a failover or a restore, and records their decisions. */
import type { decideSendingHold as endpoint, SendingHold } from '@parley/contract/admin/sending_hold.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { CAP } from '../../kernel/db/list.ts';
import { readEpoch } from '../../kernel/epoch/epoch.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { announceHold } from '../../messages/messages.ts';

export async function getSendingHold(db: Queryable): Promise<SendingHold> {
  const { state, identity, actual, cause, change_date, data_date } = await readEpoch(db);
  const connections = await listHeldConnections(db);
  const { paused } = await db.one<{ paused: number }>(sql`
    select count(*)::int as paused from campaigns where status = 'paused' and status_details = 'restored'`);
  return {
    // No messages are sent before a worker has detected the change, either.
    state: identity === actual ? state : 'checking',
    ...{ cause, change_date, data_date, connections },
    paused_campaigns: paused,
  };
}

const listHeldConnections = (db: Queryable): Promise<SendingHold['connections']> =>
  db.rows<SendingHold['connections'][number]>(sql`
    select h.connection_id, c.name, c.channel, h.message_count, h.decision, held.remaining, held.oldest_date, (
      select count(*)::int from (
        select from dispatch d where d.connection_id = h.connection_id and d.stage = 'queued'
          and d.not_before <= now() limit ${CAP + 1}
      ) due) as waiting
    from sending_holds h join connections c on c.id = h.connection_id
    cross join lateral (
      select count(*)::int as remaining, min(m.create_date) as oldest_date
      from dispatch d join messages m on m.account_id = d.account_id and m.id = d.message_id
      where d.connection_id = h.connection_id and d.held
    ) held
    order by c.name`);

/** Workers carry out the decision within seconds and resume sending then. */
export async function decideSendingHold(
  ctx: Ctx,
  { decision, connection_id }: Parsed<typeof endpoint>['body'],
): Promise<SendingHold> {
  const { tx, actor } = ctx;
  if (connection_id !== null) {
    const connection = await tx.maybeOne(sql`select from connections where id = ${connection_id}`);
    if (!connection) throw new Problem('CONNECTION_NOT_FOUND');
  }
  const decided = await tx.rows<{ id: string; name: string; message_count: number }>(sql`
    update sending_holds h set decision = ${decision}, user_id = ${actor.user_id}, decide_date = now()
    from connections c
    where c.id = h.connection_id and h.decision is null
      and (${connection_id}::uuid is null or h.connection_id = ${connection_id}::uuid)
    returning c.id, c.name, h.message_count`);
  if (decided.length === 0) throw new Problem('SENDING_NOT_HELD');
  for (const { id, name, message_count } of decided)
    record(tx, ctx, {
      action: 'sending_hold.decided',
      target: { type: 'connection', id, name },
      detail: { decision, messages: message_count },
    });
  await announceHold(tx);
  return getSendingHold(tx);
}
