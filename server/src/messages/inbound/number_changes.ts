/**
 * Moves a conversation to the new number of its contact and adds a note to the thread. If the new number already has a
 * conversation with the sender, the conversations are merged.
 */
import { messageCreated } from '@parley/contract/messages/messages.ts';
import { copyNumberStops, moveContacts, parseNumber } from '../../audiences/audiences.ts';
import type { Notice } from '../../channels/channel.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import { messageJson } from '../model/message_columns.ts';
import { idForTime, reportedTime } from '../model/reported_time.ts';
import { timelineTime } from '../model/status_fold.ts';
import { announceConversation } from '../thread/conversations.ts';
import type { Owner } from './echoes.ts';

type NumberChange = Extract<Notice, { kind: 'number' }>;

interface Conversation {
  id: string;
  account_id: string;
  sender_id: string;
  number: string;
}

export async function changeNumber(
  tx: Tx,
  connection_id: string,
  { before, after, external_id, at, owner }: NumberChange & { owner: Owner },
): Promise<void> {
  const { account_id, sender_id, country } = owner;
  const rows = await tx.rows<Conversation>(sql`
    select id, account_id, sender_id, number from conversations
    where account_id = ${account_id} and sender_id = ${sender_id} and number in (${before}, ${after})
    order by id for update`);
  const old = rows.find(({ number }) => number === before);
  // The change was already applied, or this sender has never exchanged messages with the contact.
  if (!old) return;
  const written_at = reportedTime(at, tx.now);
  const id = idForTime(written_at, tx.now);
  if (external_id !== '')
    await tx.run(sql`
      insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
      values (${connection_id}, ${external_id}, ${account_id}, ${id}, 1, 1) on conflict do nothing`);
  const newCountry = parseNumber(`+${after}`)?.country ?? country;
  await tx.run(sql`
    update messages m set number = ${after}
    where m.account_id = ${account_id} and m.sender_id = ${sender_id} and m.number = ${before}
      -- A campaign that sent to both numbers keeps both messages.
      and not exists (select from messages o where o.account_id = m.account_id and o.campaign_id = m.campaign_id
        and o.number = ${after})`);
  await insertNote(tx, { id, connection_id, before, after, written_at, country: newCountry, owner });
  const moved = await mergeConversations(tx, old, rows, after, id, written_at);
  await moveContacts(tx, account_id, before, { number: after, country: newCountry });
  await copyNumberStops(tx, account_id, before, after);
  await emitSelected(
    tx,
    messageCreated,
    sql`
      select m.account_id, ${newId()}::uuid as id, ${messageJson} as payload, true as live
      from messages m where m.account_id = ${account_id} and m.id = ${id}`,
  );
  await announceConversation(tx, { account_id, sender_id, number: after, id: moved });
}

/** Returns the id of the remaining conversation: the conversation of the new number if it has one. */
async function mergeConversations(
  tx: Tx,
  old: Conversation,
  rows: readonly Conversation[],
  after: string,
  message_id: string,
  written_at: Date,
): Promise<string> {
  const { account_id } = old;
  const kept = rows.find(({ number }) => number === after) ?? old;
  if (kept !== old)
    await tx.run(sql`
      update conversations set delete_date = ${tx.now}, alias = null, unread_count = 0
      where account_id = ${account_id} and id = ${old.id}`);
  await tx.run(sql`
    update conversations c set number = ${after}, delete_date = null,
      unread_count = (
        select count(*) from messages m
        where m.account_id = ${account_id} and m.sender_id = ${old.sender_id} and m.number = ${after}
          and m.direction = 'MO' and m.create_date > coalesce(c.last_read_timestamp, '-infinity')),
      last_message_id = greatest(c.last_message_id, ${message_id}::uuid, o.last_message_id),
      timestamp = greatest(c.timestamp, ${written_at}::timestamptz, o.timestamp)
    from conversations o
    where c.account_id = ${account_id} and c.id = ${kept.id} and o.account_id = c.account_id and o.id = ${old.id}`);
  return kept.id;
}

interface Note {
  id: string;
  connection_id: string;
  before: string;
  after: string;
  written_at: Date;
  country: string;
  owner: Owner;
}

const insertNote = (tx: Tx, { id, connection_id, before, after, written_at, country, owner }: Note) =>
  tx.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                          segments_count, encoding, currency, charge, source, connection_id, timeline, create_date,
                          update_date, marks)
    values (${owner.account_id}, ${id}, 'MO', ${owner.channel}, 'received', ${owner.sender_id}, ${before},
            ${owner.code}, ${after}, ${country}, ${`The number changed from +${before} to +${after}`}, 1, 'UTF-8',
            ${owner.currency}, 'none', 'phone', ${connection_id},
            ${JSON.stringify([{ at: timelineTime(written_at), status: 'received', source: 'carrier' }])}::jsonb,
            ${written_at}, ${tx.now}, ${JSON.stringify({ number_change: { from: before, to: after } })}::jsonb)`);
