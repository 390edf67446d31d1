/**
 * Stores inbound messages: determines their owner, inserts the row, and updates the conversation and emits the event.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type Content, contentMessageType, NO_CONTENT } from '@parley/contract/messages/content.ts';
import type { Marks } from '@parley/contract/messages/marks.ts';
import { messageCreated } from '@parley/contract/messages/messages.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import { messageJson } from '../model/message_columns.ts';
import { timelineTime } from '../model/status_fold.ts';
import { rememberMembers } from '../routing/number_pool.ts';
import { isAlias } from '../thread/aliases.ts';
import { touchConversations } from '../thread/conversations.ts';
import { fileJob } from './files.ts';
import type { InboundMessage } from './parts.ts';

interface Owner {
  account_id: string;
  sender_id: string;
  /** The code that the person wrote to. */
  code: string;
  /** The pool member with that code, if any. */
  member_id: string | null;
  currency: string;
  country: string;
}

/** `id` is the id of the stored message, and `written_at` is the time when the person wrote it, if known. */
export type OwnedMessage = InboundMessage & Owner & { id: string; written_at: Date };

/** `number` identifies the conversation. */
interface ReceivedMessage extends OwnedMessage {
  number: string;
}

/**
 * Returns the owner of each message. A message to a shared test sender belongs to the account that last wrote to this
 * phone.
 */
export async function findOwners(tx: Tx, messages: readonly InboundMessage[]): Promise<(Owner | undefined)[]> {
  if (messages.length === 0) return [];
  const column = (pick: (message: InboundMessage) => string): string[] => messages.map(pick);
  const rows = await tx.rows<Owner & { n: number }>(sql`
    select t.n::int, s.account_id, s.id as sender_id, coalesce(b.code, s.code) as code, b.id as member_id, a.currency,
      a.country_code as country
    from unnest(${column(({ channel }) => channel)}::text[], ${column(({ to }) => to)}::text[],
                ${column(({ from }) => from)}::text[], ${column(({ connection_id }) => connection_id)}::uuid[])
      with ordinality as t(channel, address, number, connection_id, n)
    join inbound_addresses i on i.channel = t.channel and i.address = t.address
    left join shared_sender_replies l on l.channel = t.channel and l.address = t.address and l.number = t.number
    left join number_pool_members k on k.account_id = i.account_id and k.sender_id = i.sender_id and l.sender_id is null
    left join senders b on b.account_id = k.account_id and b.id = k.sender_id
    join senders s on s.account_id = coalesce(l.account_id, i.account_id)
      and s.id = coalesce(l.sender_id, k.pool_id, i.sender_id)
      -- A carrier can only deliver to its own senders.
      and (s.connection_id is null or s.connection_id = t.connection_id)
    join accounts a on a.id = s.account_id`);
  const owners: (Owner | undefined)[] = messages.map(() => undefined);
  for (const { n, ...owner } of rows) owners[n - 1] = owner;
  return owners;
}

export async function storeReceived(tx: Tx, received: readonly ReceivedMessage[]): Promise<ReceivedMessage[]> {
  if (received.length === 0) return [];
  const stored = [...received];
  const contents = await loadContents(tx, stored);
  await rememberMembers(tx, stored);
  await insertMessages(tx, stored, contents);
  await touchConversations(
    tx,
    stored.map(({ details, ...message }) => ({
      ...message,
      direction: 'MO',
      status: 'received',
      source: 'phone',
      create_date: message.written_at,
      alias: details.alias ?? (isAlias(message.from) ? message.from : null),
      profile_name: details.profile_name ?? '',
    })),
  );
  for (const { id, account_id, connection_id, channel, details } of stored) {
    if (details.content?.media)
      await enqueue(tx, fileJob, {
        account_id,
        message_id: id,
        connection_id,
        channel,
        ...details.content.media,
        tries: 0,
      });
  }
  await emitSelected(
    tx,
    messageCreated,
    sql`
      select m.account_id, t.event_id as id, ${messageJson} as payload, true as live
      from unnest(${stored.map((message) => message.account_id)}::uuid[], ${stored.map(({ id }) => id)}::uuid[],
                  ${stored.map(() => newId())}::uuid[]) as t(account_id, id, event_id)
      join messages m on m.account_id = t.account_id and m.id = t.id`,
  );
  return stored;
}

/** Builds each message's content except its text. Files are added later. */
async function loadContents(tx: Tx, received: readonly ReceivedMessage[]): Promise<(Content | null)[]> {
  const replies = received.filter(({ details }) => details.content?.answers);
  const originals =
    replies.length === 0
      ? []
      : await tx.rows<{ id: string; message_id: string }>(sql`
          select t.id, s.message_id
          from unnest(${replies.map(({ id }) => id)}::uuid[], ${replies.map((message) => message.account_id)}::uuid[],
                      ${replies.map((message) => message.connection_id)}::uuid[],
                      ${replies.map((message) => message.details.content!.answers)}::text[])
            as t(id, account_id, connection_id, external_id)
          join submissions s on s.connection_id = t.connection_id and s.external_id = t.external_id
            and s.account_id = t.account_id`);
  const byId = new Map(originals.map((row) => [row.id, row.message_id]));
  return received.map(({ id, details: { content } }) => {
    if (!content) return null;
    const { media, pressed, answers: _answers, ...cards } = content;
    const file = media && { media_type: media.type, file_name: media.file_name, content_type: media.content_type };
    return { ...NO_CONTENT, ...file, ...cards, pressed, answers: byId.get(id) ?? null };
  });
}

const insertMessages = (tx: Tx, stored: readonly ReceivedMessage[], contents: readonly (Content | null)[]) => {
  const column = <T>(pick: (message: ReceivedMessage) => T): T[] => stored.map(pick);
  const toTimeline = ({ written_at }: ReceivedMessage) => {
    const late = written_at < tx.now ? { detail: { arrived: timelineTime(tx.now).slice(0, 19) } } : {};
    return JSON.stringify([{ at: timelineTime(written_at), status: 'received', source: 'carrier', ...late }]);
  };
  const sizes = stored.map(countUnits);
  return tx.run(sql`
    insert into messages (account_id, id, direction, channel, type, content, status, sender_id, "from", "to", number,
                          country, text, segments_count, encoding, currency, charge, source, connection_id, timeline,
                          create_date, update_date, marks)
    select account_id, id, 'MO', channel, type, content, 'received', sender_id, number, code, number, country, text,
           parts, encoding, currency, 'none', 'phone', connection_id, timeline, written_at, ${tx.now}::timestamptz,
           marks
    from unnest(
      ${column((message) => message.account_id)}::uuid[], ${column(({ id }) => id)}::uuid[],
      ${column(({ channel }) => channel)}::text[], ${contents.map(contentMessageType)}::text[],
      ${contents.map((content) => content && JSON.stringify(content))}::jsonb[],
      ${column((message) => message.sender_id)}::uuid[], ${column(({ number }) => number)}::text[],
      ${column(({ code }) => code)}::text[], ${column(personCountry)}::text[], ${column(({ text }) => text)}::text[],
      ${sizes.map(({ count }) => count)}::smallint[], ${sizes.map(({ encoding }) => encoding)}::text[],
      ${column(({ currency }) => currency)}::text[], ${column((message) => message.connection_id)}::uuid[],
      ${column(toTimeline)}::jsonb[], ${column(({ written_at }) => written_at)}::timestamptz[],
      ${column(toMarks)}::jsonb[]
    ) as t(account_id, id, channel, type, content, sender_id, number, code, country, text, parts, encoding, currency,
           connection_id, timeline, written_at, marks)`);
};

function toMarks({ details: { referral, unknown } }: ReceivedMessage): string | null {
  const marks: Marks = { ...(referral ? { referral } : {}), ...(unknown ? { unknown } : {}) };
  return Object.keys(marks).length > 0 ? JSON.stringify(marks) : null;
}

function countUnits({ channel, text, parts }: ReceivedMessage): { count: number; encoding: string } {
  if (channelRules(channel as ChannelName).counts === 'messages') return { count: 1, encoding: 'UTF-8' };
  const { segments, encoding } = segment(text);
  return { count: Math.max(parts, segments.length), encoding };
}

/**
 * Short codes and names have no country of their own and can only be reached from the carrier's country. An alias
 * starts with its country code.
 */
function personCountry({ number, country }: ReceivedMessage): string {
  if (isAlias(number)) return number.slice(0, 2);
  return parseNumber(`+${number}`)?.country ?? country;
}
