/** The effects of a message: clicks on its links, and replies. Also the consent under which it was sent. */
import type { Consent } from '@parley/contract/audiences/consents.ts';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { listConsentsById } from '../../audiences/audiences.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';

const MAX_CLICKS = 20;
const MAX_REPLIES = 5;

interface SentMessage extends Pick<MessageDetail, 'account_id' | 'id' | 'direction' | 'sender_id'> {
  number: string;
}

export async function findConsent(db: Queryable, { account_id, id }: SentMessage): Promise<Consent | null> {
  const row = await db.maybeOne<{ consent_id: string }>(sql`
    select consent_id from message_consents where account_id = ${account_id} and message_id = ${id}`);
  return row ? ((await listConsentsById(db, account_id, [row.consent_id]))[0] ?? null) : null;
}

/** Clicks of bots and link previews are left out. */
export const findClicks = (db: Queryable, { account_id, id, number }: SentMessage) =>
  db.rows<MessageDetail['clicks'][number]>(sql`
    select c.link_id, l.url, c.device, c.click_date
    from link_clicks c join links l on l.account_id = c.account_id and l.id = c.link_id
    where c.account_id = ${account_id} and c.number = ${number} and c.message_id = ${id} and c.kind = 'person'
    order by c.click_date, c.id
    limit ${MAX_CLICKS}`);

/** The IDs of messages are ordered by time. */
export const findReplies = async (db: Queryable, message: SentMessage): Promise<MessageDetail['replies']> => {
  if (message.direction === 'MO') return [];
  const { account_id, id, number, sender_id } = message;
  const rows = await db.rows<MessageDetail['replies'][number] & { direction: string }>(sql`
    select id, text, direction, create_date from messages
    where account_id = ${account_id} and number = ${number} and sender_id = ${sender_id} and id > ${id}
    order by id limit ${MAX_REPLIES}`);
  const next = rows.findIndex(({ direction }) => direction === 'MT');
  return (next < 0 ? rows : rows.slice(0, next)).map(({ direction: _, ...reply }) => reply);
};
