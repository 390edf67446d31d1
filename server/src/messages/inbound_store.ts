/** Messages of people in the database: whose they are, the row, the conversation and the event. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type Content, NO_CONTENT, typeOf } from '@parley/contract/messages/content.ts';
import { messageCreated } from '@parley/contract/messages/messages.ts';
import { parseNumber } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { emitSelected } from '../kernel/live/events.ts';
import { conversationOf, messageColumns } from './columns.ts';
import { touchConversation } from './conversations.ts';
import { timelineTime } from './fold.ts';
import { fileJob } from './inbound_files.ts';
import type { Whole } from './inbound_parts.ts';
import { rememberWritten } from './pool.ts';
import { isAlias } from './writers.ts';

export interface Owner {
  account_id: string;
  sender_id: string;
  /** What they wrote to. */
  code: string;
  /** That number, where it is one of several behind the sender. */
  member_id: string | null;
  currency: string;
  country: string;
}

/** `id`: of the message it becomes; `written`: when, as far as that is known. */
export type Owned = Whole & Owner & { id: string; written: Date };

/** `number`: what the conversation is known by. */
export interface Received extends Owned {
  number: string;
}

/** Whom it is for, message by message. What many accounts have been lent is answered to the one that wrote to this phone last. */
export async function ownersOf(tx: Tx, whole: readonly Whole[]): Promise<(Owner | undefined)[]> {
  if (whole.length === 0) return [];
  const of = (pick: (message: Whole) => string): string[] => whole.map(pick);
  const rows = await tx.rows<Owner & { n: number }>(sql`
    select t.n::int, s.account_id, s.id as sender_id, coalesce(b.code, s.code) as code, b.id as member_id, a.currency, a.country_code as country
    from unnest(${of(({ channel }) => channel)}::text[], ${of(({ to }) => to)}::text[], ${of(({ from }) => from)}::text[],
                ${of(({ connection_id }) => connection_id)}::uuid[])
      with ordinality as t(channel, address, number, connection_id, n)
    join inbound_addresses i on i.channel = t.channel and i.address = t.address
    left join lent_answers l on l.channel = t.channel and l.address = t.address and l.number = t.number
    left join sender_members k on k.account_id = i.account_id and k.sender_id = i.sender_id and l.sender_id is null
    left join senders b on b.account_id = k.account_id and b.id = k.sender_id
    join senders s on s.account_id = coalesce(l.account_id, i.account_id) and s.id = coalesce(l.sender_id, k.pool_id, i.sender_id)
      -- What one carrier says of a sender of another one is not believed.
      and (s.connection_id is null or s.connection_id = t.connection_id)
    join accounts a on a.id = s.account_id`);
  const owners: (Owner | undefined)[] = whole.map(() => undefined);
  for (const { n, ...owner } of rows) owners[n - 1] = owner;
  return owners;
}

export async function storeReceived(tx: Tx, received: readonly Received[]): Promise<Received[]> {
  if (received.length === 0) return [];
  const stored = [...received];
  const contents = await contentsOf(tx, stored);
  await rememberWritten(tx, stored);
  await insert(tx, stored, contents);
  await touchConversation(
    tx,
    stored.map(({ told, ...one }) => ({
      ...one,
      direction: 'MO',
      status: 'received',
      source: 'phone',
      create_date: one.written,
      alias: told.alias ?? (isAlias(one.from) ? one.from : null),
      profile_name: told.profile_name ?? '',
    })),
  );
  for (const { id, account_id, connection_id, channel, told } of stored) {
    if (told.content?.media)
      await enqueue(tx, fileJob, {
        account_id,
        message_id: id,
        connection_id,
        channel,
        ...told.content.media,
        tries: 0,
      });
  }
  await emitSelected(
    tx,
    messageCreated,
    sql`
      select m.account_id, t.event_id as id, (select row_to_json(told) from (select ${messageColumns}, ${conversationOf}) told) as payload,
             true as live
      from unnest(${stored.map((one) => one.account_id)}::uuid[], ${stored.map(({ id }) => id)}::uuid[],
                  ${stored.map(() => newId())}::uuid[]) as t(account_id, id, event_id)
      join messages m on m.account_id = t.account_id and m.id = t.id`,
  );
  return stored;
}

/** What each carries besides its text, as it is shown; the file comes later. */
async function contentsOf(tx: Tx, received: readonly Received[]): Promise<(Content | null)[]> {
  const answered = received.filter(({ told }) => told.content?.answers);
  const ours =
    answered.length === 0
      ? []
      : await tx.rows<{ id: string; message_id: string }>(sql`
          select t.id, s.message_id
          from unnest(${answered.map(({ id }) => id)}::uuid[], ${answered.map((one) => one.account_id)}::uuid[],
                      ${answered.map((one) => one.connection_id)}::uuid[], ${answered.map((one) => one.told.content!.answers)}::text[])
            as t(id, account_id, connection_id, external_id)
          join submissions s on s.connection_id = t.connection_id and s.external_id = t.external_id and s.account_id = t.account_id`);
  const byId = new Map(ours.map((row) => [row.id, row.message_id]));
  return received.map(({ id, told: { content } }) => {
    if (!content) return null;
    const { media, pressed } = content;
    const file = media && { media_type: media.type, file_name: media.file_name, content_type: media.content_type };
    return { ...NO_CONTENT, ...file, pressed, answers: byId.get(id) ?? null };
  });
}

const insert = (tx: Tx, stored: readonly Received[], contents: readonly (Content | null)[]) => {
  const of = <T>(pick: (one: Received) => T): T[] => stored.map(pick);
  const entryOf = ({ written }: Received) => {
    const late = written < tx.now ? { detail: { arrived: timelineTime(tx.now).slice(0, 19) } } : {};
    return JSON.stringify([{ at: timelineTime(written), status: 'received', source: 'carrier', ...late }]);
  };
  const sizes = stored.map(sizeOf);
  return tx.run(sql`
    insert into messages (account_id, id, direction, channel, type, content, status, sender_id, "from", "to", number, country, text,
                          segments_count, encoding, currency, charge, source, connection_id, timeline, create_date, update_date)
    select account_id, id, 'MO', channel, type, content, 'received', sender_id, number, code, number, country, text, parts, encoding, currency,
           'none', 'phone', connection_id, timeline, written, ${tx.now}::timestamptz
    from unnest(
      ${of((one) => one.account_id)}::uuid[], ${of(({ id }) => id)}::uuid[], ${of(({ channel }) => channel)}::text[],
      ${contents.map(typeOf)}::text[], ${contents.map((content) => content && JSON.stringify(content))}::jsonb[],
      ${of((one) => one.sender_id)}::uuid[], ${of(({ number }) => number)}::text[], ${of(({ code }) => code)}::text[],
      ${of(countryOf)}::text[], ${of(({ text }) => text)}::text[], ${sizes.map(({ count }) => count)}::smallint[],
      ${sizes.map(({ encoding }) => encoding)}::text[], ${of(({ currency }) => currency)}::text[], ${of((one) => one.connection_id)}::uuid[],
      ${of(entryOf)}::jsonb[], ${of(({ written }) => written)}::timestamptz[]
    ) as t(account_id, id, channel, type, content, sender_id, number, code, country, text, parts, encoding, currency, connection_id, timeline,
           written)`);
};

function sizeOf({ channel, text, parts }: Received): { count: number; encoding: string } {
  if (channelRules(channel as ChannelName).counts === 'messages') return { count: 1, encoding: 'UTF-8' };
  const { segments, encoding } = segment(text);
  return { count: Math.max(parts, segments.length), encoding };
}

// Short codes and names are of no country of their own: they can be reached only where the carrier is. What a channel calls a person begins with it.
function countryOf({ number, country }: Received): string {
  if (isAlias(number)) return number.slice(0, 2);
  return parseNumber(`+${number}`)?.country ?? country;
}
