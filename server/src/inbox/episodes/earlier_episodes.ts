/**
 * Adds the episodes of conversations from before `conversation_episodes` existed. They follow from the messages, the
 * entries, and the assignments of each conversation. The job walks through all conversations once; its position and the
 * rows of a batch are stored together.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export const earlierEpisodesJob = job<object>('inbox.add_earlier_episodes', {
  cron: '* * * * *',
  retry: 0,
  expire_seconds: 3_000,
});

const BATCH = 50;
/** Only the latest changes of a long conversation are read. */
const MAX_CHANGES = 10_000;

/** Times are seconds since 1970. */
interface Change {
  kind: 'received' | 'replied' | 'closed' | 'opened' | 'assigned';
  at: number;
  user_id: string | null;
  message_id: string | null;
}

interface Episode {
  open: number;
  waiting: number | null;
  reply: { at: number; user_id: string | null; message_id: string | null } | null;
  close: number | null;
  assignee_id: string | null;
}

interface Conversation {
  account_id: string;
  id: string;
  is_open: boolean;
  assignee_id: string | null;
  /** When the conversation was removed, or else its last message. */
  end: number;
  /** The first episode that the trigger has stored. */
  known_from: number | null;
  has_current: boolean;
}

export async function addEarlierEpisodes({ db }: Kernel, signal?: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal?.aborted; ) hasMore = await db.tx(addBatch);
}

async function addBatch(tx: Tx): Promise<boolean> {
  const mark = await tx.one<{ account_id: string | null; conversation_id: string | null; done: boolean }>(sql`
    select account_id, conversation_id, done from conversation_episode_marks for update`);
  if (mark.done) return false;
  const first = '00000000-0000-0000-0000-000000000000';
  const rows = await tx.rows<Conversation>(sql`
    select c.account_id, c.id, c.status <> 'closed' and c.delete_date is null as is_open, c.assignee_id,
           extract(epoch from coalesce(c.delete_date, c."timestamp"))::float8 as end,
           extract(epoch from known.first)::float8 as known_from, coalesce(known.has_current, false) as has_current
    from conversations c
    left join lateral (
      select min(e.open_date) as first, bool_or(e.close_date is null) as has_current from conversation_episodes e
      where e.account_id = c.account_id and e.conversation_id = c.id) known on true
    where (c.account_id, c.id) > (${mark.account_id ?? first}::uuid, ${mark.conversation_id ?? first}::uuid)
    order by c.account_id, c.id limit ${BATCH} for update of c`);
  for (const row of rows) await addEpisodes(tx, row);
  const last = rows.at(-1);
  await tx.run(sql`
    update conversation_episode_marks
    set account_id = ${last?.account_id ?? mark.account_id}, conversation_id = ${last?.id ?? mark.conversation_id},
        done = ${rows.length < BATCH}`);
  return rows.length === BATCH;
}

async function addEpisodes(tx: Tx, conversation: Conversation): Promise<void> {
  const { account_id, id } = conversation;
  const episodes = earlierEpisodes(conversation, await listChanges(tx, account_id, id));
  if (episodes.length === 0) return;
  await tx.run(sql`
    insert into conversation_episodes (account_id, conversation_id, channel, open_date, waiting_date, reply_date,
                                       reply_user_id, reply_message_id, close_date, assignee_id, label_ids)
    select c.account_id, c.id, c.channel, to_timestamp(e.open), to_timestamp(e.waiting), to_timestamp(e.reply_at),
           e.reply_user_id, e.reply_message_id, to_timestamp(e.close), e.assignee_id,
           case when e.close is not null then array(
             select l.label_id from conversation_labels l
             where l.account_id = c.account_id and l.conversation_id = c.id) end
    from conversations c
    cross join jsonb_to_recordset(${JSON.stringify(episodes.map(toRow))}::jsonb)
      as e(open float8, waiting float8, reply_at float8, reply_user_id uuid, reply_message_id uuid, close float8,
           assignee_id uuid)
    where c.account_id = ${account_id} and c.id = ${id}
    on conflict do nothing`);
}

const toRow = ({ open, waiting, reply, close, assignee_id }: Episode) => ({
  ...{ open, waiting, close, assignee_id },
  ...{ reply_at: reply?.at, reply_user_id: reply?.user_id, reply_message_id: reply?.message_id },
});

const listChanges = async (tx: Tx, account_id: string, id: string): Promise<Change[]> =>
  (
    await tx.rows<Change>(sql`
      select kind, extract(epoch from at)::float8 as at, user_id, message_id from (
        select case m.direction when 'MO' then 'received' else 'replied' end as kind, m.create_date as at, m.user_id,
               m.id as message_id
        from conversations c
        join messages m on m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id
        where c.account_id = ${account_id} and c.id = ${id}
          and (m.direction = 'MO' or m.source in ('inbox', 'phone_app') and m.status <> 'canceled')
        union all
        select case when coalesce(e.detail->'rule'->>'closed', 'false') = 'true'
                      or e.detail->'status'->>'to' = 'closed' then 'closed' else 'opened' end,
               e.create_date, e.user_id, null
        from conversation_entries e
        where e.account_id = ${account_id} and e.conversation_id = ${id}
          and (e.kind = 'status' or e.kind = 'rule' and e.detail->'rule'->>'closed' = 'true')
        union all
        select 'assigned', a.create_date, a.to_user_id, null from conversation_assignments a
        where a.account_id = ${account_id} and a.conversation_id = ${id}
      ) changes
      order by at desc limit ${MAX_CHANGES}`)
  ).reverse();

/** The episodes before the first one that is stored, from the changes in the order of their times. */
export function earlierEpisodes(conversation: Omit<Conversation, 'account_id' | 'id'>, changes: readonly Change[]) {
  const { is_open, end, known_from, has_current } = conversation;
  const episodes: Episode[] = [];
  let current: Episode | null = null;
  let assignee_id: string | null = null;
  const open = (at: number, waiting: number | null) => {
    current = { open: at, waiting, reply: null, close: null, assignee_id };
    episodes.push(current);
  };
  const close = (at: number) => {
    if (current) Object.assign(current, { close: Math.max(at, current.open), assignee_id });
    current = null;
  };
  for (const { kind, at, user_id, message_id } of changes) {
    if (known_from !== null && at >= known_from) break;
    const now = current as Episode | null;
    if (kind === 'assigned') assignee_id = user_id;
    else if (kind === 'closed') close(at);
    else if (kind === 'received') {
      if (!now) open(at, at);
      else now.waiting ??= at;
    } else if (kind === 'opened') {
      if (!now) open(at, null);
      // A message to a closed conversation leaves it closed.
    } else if (!now) {
      if (episodes.length === 0) open(at, null);
    } else if (now.waiting !== null) now.reply ??= { at, user_id, message_id };
  }
  if (known_from !== null) close(known_from);
  else if (!is_open) close(end);
  else if (!current && !has_current) open(end, null);
  if (current) (current as Episode).assignee_id = conversation.assignee_id;
  return episodes;
}
