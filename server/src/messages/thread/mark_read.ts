/** Reports the last read message to the channel, which marks all earlier messages as read for the person. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { CarrierRefusal } from '../../channels/channel.ts';
import { openConnection } from '../../connections/connections.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';

interface ReadMark {
  account_id: string;
  conversation_id: string;
}

export const readJob = job<ReadMark>('messages.mark_read', {
  retry: 3,
  concurrency: 2,
  key: ({ conversation_id }) => conversation_id,
});

export async function markReadSoon(tx: Tx, channel: ChannelName, read: ReadMark): Promise<void> {
  if (channelRules(channel).reads) await enqueue(tx, readJob, read);
}

export async function markRead(kernel: Kernel, { account_id, conversation_id }: ReadMark): Promise<void> {
  const last = await kernel.db.maybeOne<{ connection_id: string; external_id: string; address: string }>(sql`
    select x.connection_id, x.external_id, coalesce(s.carrier_address, s.code) as address
    from conversations c
    join senders s on s.account_id = c.account_id and s.id = c.sender_id
    cross join lateral (
      select m.id from messages m
      where m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id and m.direction = 'MO'
        and (c.unread_count = 0 or m.create_date <= c.last_read_timestamp)
      order by m.id desc limit 1
    ) last
    join submissions x on x.account_id = c.account_id and x.message_id = last.id
    where c.account_id = ${account_id} and c.id = ${conversation_id} and c.last_read_timestamp is not null
    limit 1`);
  if (!last) return;
  const { connection_id, ...message } = last;
  const connection = await openConnection(kernel, kernel.db, connection_id);
  try {
    await connection?.adapter.reads?.mark(connection.spec, message);
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    kernel.log.warn({ err: error, conversation_id }, 'could not mark a message as read');
  }
}
