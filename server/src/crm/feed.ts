/**
 * Finds messages to log, in the order of the event positions. The position moves in the same transaction, so no message
 * is missed and none is found twice. One worker does this at a time.
 */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { type Message, messageCreated } from '@parley/contract/messages/messages.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { PollLoop } from '../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { insertLogs, type NewLog } from './logs.ts';

const BATCH = 1_000;
const POLL_MS = 1_000;

/** Returns true if there may be more events. */
export const feedLogs = (db: Db): Promise<boolean> => db.tx(feedBatch);

async function feedBatch(tx: Tx): Promise<boolean> {
  const position = await tx.maybeOne<{ seq: number; last: number }>(sql`
    select p.seq, e.seq as last from crm_position p, event_position e where e.seq > p.seq
    for update of p skip locked`);
  if (!position) return false;
  const until = Math.min(position.last, position.seq + BATCH);
  const connections = await tx.rows<{ account_id: string; provider: CrmName }>(sql`
    select account_id, provider from crm_connections
    where logs_messages and account_id in (
      select account_id from event_positions where seq > ${position.seq} and seq <= ${until})`);
  if (connections.length > 0) {
    const messages = await listCreatedMessages(tx, connections, position.seq, until);
    const logs = messages.filter(isLogged).flatMap(({ account_id, id: message_id }) =>
      connections
        .filter((connection) => connection.account_id === account_id)
        .map(({ provider }): NewLog => {
          return { account_id, provider, message_id, person_id: null, deal_id: null, crm_user_id: null };
        }),
    );
    if (logs.length > 0) await insertLogs(tx, logs);
  }
  await tx.run(sql`update crm_position set seq = ${until}`);
  return until < position.last;
}

/** Inbound messages and replies from the inbox. Campaign and API messages are not logged. */
const isLogged = ({ direction, source }: Message): boolean => direction === 'MO' || source === 'inbox';

async function listCreatedMessages(
  tx: Tx,
  connections: readonly { account_id: string }[],
  after: number,
  until: number,
): Promise<Message[]> {
  const rows = await tx.rows<{ payload: Message | Message[]; many: boolean }>(sql`
    select e.payload, e.many
    from event_positions p join events e on e.account_id = p.account_id and e.id = p.event_id
    where p.seq > ${after} and p.seq <= ${until} and e.type = ${messageCreated.id}
      and p.account_id = any(${connections.map(({ account_id }) => account_id)}::uuid[])
    order by p.seq`);
  return rows.flatMap(({ payload }) => payload);
}

export const startCrmFeed = (kernel: Kernel): PollLoop =>
  new PollLoop(kernel, { name: 'crm feed', poll_ms: POLL_MS, step: () => feedLogs(kernel.db) });
