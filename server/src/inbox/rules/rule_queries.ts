import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { InboxRule } from '@parley/contract/inbox/rules.ts';
import type { OfficeHours } from '@parley/contract/inbox/settings.ts';
import { idAt } from '../../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';

const DAY_MS = 86_400_000;

/** Rules of earlier releases have no languages. */
const columns: Sql = sql`
  id, name, enabled, position, '{"languages": []}'::jsonb || conditions as conditions, actions`;

export const listRuleRows = (db: Queryable, account_id: string) =>
  db.rows<InboxRule>(sql`select ${columns} from inbox_rules where account_id = ${account_id} order by position, id`);

/** Serializes the changes of rules and teams of an account. */
export const lockRules = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} inbox rules`}, 7304))`);

export const saveRule = (tx: Tx, account_id: string, { id, name, enabled, position, conditions, actions }: InboxRule) =>
  tx.run(sql`
    insert into inbox_rules (account_id, id, name, enabled, position, conditions, actions, create_date)
    values (${account_id}, ${id}, ${name}, ${enabled}, ${position}, ${JSON.stringify(conditions)}::jsonb,
            ${JSON.stringify(actions)}::jsonb, ${tx.now})
    on conflict (account_id, id) do update
      set name = excluded.name, enabled = excluded.enabled, position = excluded.position,
          conditions = excluded.conditions, actions = excluded.actions`);

export const deleteRule = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from inbox_rules where account_id = ${account_id} and id = ${id}`);

export const readOffice = (db: Queryable, account_id: string) =>
  db.one<{ hours: OfficeHours[] | null; zone: string }>(sql`
    select a.timezone as zone, s.office_hours as hours
    from accounts a left join inbox_settings s on s.account_id = a.id where a.id = ${account_id}`);

/** The message that opened a conversation, as rules see it. Needs `conversations c`; `o` is that message. */
const opening: Sql = sql`
  c.channel, c.sender_id, o.text, o.create_date as at,
  (select m.campaign_id from messages m
   where m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id and m.direction = 'MT'
     and m.id < o.id and m.create_date > o.create_date - interval '7 days' and m.campaign_id is not null
   order by m.id desc limit 1) as campaign_id`;

export interface OpenedConversation {
  id: string;
  assignee_id: string | null;
  status: 'open' | 'pending' | 'snoozed' | 'closed';
  number: string;
  message_id: string;
  channel: ChannelName;
  sender_id: string;
  text: string;
  at: string;
  campaign_id: string | null;
}

/** Locks a conversation whose rules are due; null if they have been applied. */
export const lockOpened = async (tx: Tx, account_id: string, id: string): Promise<OpenedConversation | null> => {
  const due = await tx.maybeOne(sql`
    select 1 from conversations
    where account_id = ${account_id} and id = ${id} and opened_message_id is distinct from rules_message_id
    for update`);
  return due === null
    ? null
    : tx.maybeOne<OpenedConversation>(sql`
        select c.id, c.assignee_id, c.status, c.number, o.id as message_id, ${opening}
        from conversations c join messages o on o.account_id = c.account_id and o.id = c.opened_message_id
        where c.account_id = ${account_id} and c.id = ${id}`);
};

export const markApplied = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update conversations set rules_message_id = opened_message_id where account_id = ${account_id} and id = ${id}`);

/** Returns 0 if a rule has replied to this message. */
export const markReplied = (tx: Tx, account_id: string, id: string, message_id: string) =>
  tx.run(sql`
    update conversations set rule_reply_id = ${message_id}
    where account_id = ${account_id} and id = ${id} and rule_reply_id is distinct from ${message_id}`);

interface RuleReplyState {
  channel: string;
  sender_id: string;
  number: string;
  assignee_id: string | null;
  /** Seconds since 1970. */
  waiting_since: number | null;
  /** The contact is on the stop list, got an automatic reply in the last 24 hours, or gets one to a keyword. */
  skips: boolean;
}

export const lockForReply = (tx: Tx, account_id: string, id: string, message_id: string) =>
  tx.maybeOne<RuleReplyState>(sql`
    select c.channel, c.sender_id, c.number, c.assignee_id,
           extract(epoch from c.waiting_since)::float8 as waiting_since,
           exists (select from stop_list l
                   where l.account_id = c.account_id and l.number = c.number
                     and (l.sender_id is null or l.sender_id = c.sender_id))
           or exists (select from messages m
                      where m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id
                        and m.direction = 'MT' and m.source = 'reply'
                        and m.id >= ${idAt(tx.now.getTime() - DAY_MS)})
           or exists (select from keyword_replies k
                      where k.account_id = c.account_id and k.message_id = ${message_id}) as skips
    from conversations c
    where c.account_id = ${account_id} and c.id = ${id} for update`);

/** The contact is still waiting for a user after an automatic reply. */
export const restoreWaiting = (tx: Tx, account_id: string, id: string, since: number | null) =>
  tx.run(sql`
    update conversations set waiting_since = to_timestamp(${since}::float8)
    where account_id = ${account_id} and id = ${id} and status <> 'closed'`);

/** The latest conversations with an inbound message since a time, with the first of these messages. */
export const listTestable = (db: Queryable, account_id: string, since: Date, limit: number) =>
  db.rows<OpenedConversation>(sql`
    select c.id, c.assignee_id, c.status, c.number, o.id as message_id, ${opening}
    from (
      select * from conversations
      where account_id = ${account_id} and delete_date is null and "timestamp" >= ${since}
      order by "timestamp" desc limit ${limit}) c
    cross join lateral (
      select m.id, m.text, m.create_date from messages m
      where m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id and m.direction = 'MO'
        and m.id >= ${idAt(since.getTime())}
      order by m.id limit 1) o
    order by c."timestamp" desc, c.id`);
