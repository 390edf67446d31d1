/**
 * Tests a rule on past messages. The newest messages of each account are read through its index, so a busy account
 * does not hide the others, and the number of rows that are read is limited.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type backTestContentRule,
  CONTENT_TEST_DAYS,
  CONTENT_TEST_MESSAGES,
  type ContentBackTest,
} from '@parley/contract/guard/content_rules.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { permits } from '@parley/contract/permission.ts';
import { idAt } from '../../kernel/clock.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { compileRule, contentTexts, TextMatcher } from './matcher.ts';
import { completeRule } from './rules.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_ACCOUNTS = 500;
const MAX_EXAMPLES = 20;
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface TestedMessage {
  id: string;
  account_id: string;
  company_name: string;
  country: string;
  channel: string;
  text: string;
  content: Content | null;
  sender_id: string;
  sender_ms: number;
  sent_ms: number;
  create_date: string;
  /** The account has more messages, which are not read. */
  is_cut: boolean;
}

export async function backTestRule(
  db: Queryable,
  actor: Actor,
  now: Date,
  body: Parsed<typeof backTestContentRule>['body'],
): Promise<ContentBackTest> {
  const rule = await completeRule(db, NO_ID, body);
  const { accounts, exempt, channels } = compileRule(rule);
  const account_ids = await listAccounts(db, now, accounts, exempt);
  const each = Math.floor(CONTENT_TEST_MESSAGES / Math.max(1, account_ids.length));
  const rows = await readMessages(db, now, account_ids, each);
  const tested = rows.filter(
    ({ channel, country }) =>
      (channels?.has(channel) ?? true) && (rule.countries.length === 0 || rule.countries.includes(country)),
  );
  const matcher = new TextMatcher([compileRule(rule)]);
  const linked = new Map<string, number>();
  const matched = tested.flatMap((row) => {
    const [match] = matcher.find({ text: row.text, others: contentTexts(row.content) }, row.country);
    if (!match) return [];
    if (rule.kind === 'new_sender') {
      if (row.sent_ms - row.sender_ms >= (rule.sender_days ?? 0) * DAY_MS) return [];
      const hour = `${row.sender_id} ${Math.floor(row.sent_ms / HOUR_MS)}`;
      const count = (linked.get(hour) ?? 0) + 1;
      linked.set(hour, count);
      if (count <= (rule.links_per_hour ?? 0)) return [];
    }
    return [{ row, matches: match.matches }];
  });
  return {
    days: CONTENT_TEST_DAYS,
    messages: tested.length,
    accounts: new Set(tested.map(({ account_id }) => account_id)).size,
    is_sample: account_ids.length === MAX_ACCOUNTS || rows.some(({ is_cut }) => is_cut),
    matched: matched.length,
    matched_accounts: new Set(matched.map(({ row }) => row.account_id)).size,
    examples: permits(actor.permissions, 'MESSAGES:view')
      ? matched
          .slice(-MAX_EXAMPLES)
          .reverse()
          .map(({ row, matches }) => ({
            ...{ message_id: row.id, account_id: row.account_id, company_name: row.company_name },
            ...{ country: row.country, channel: row.channel, text: row.text, matches, create_date: row.create_date },
          }))
      : null,
  };
}

/** The chosen accounts, or those that sent most recently. */
async function listAccounts(
  db: Queryable,
  now: Date,
  chosen: ReadonlySet<string> | null,
  exempt: ReadonlySet<string>,
): Promise<string[]> {
  const since = idAt(now.getTime() - CONTENT_TEST_DAYS * DAY_MS);
  const rows = await db.rows<{ id: string }>(sql`
    select a.id from accounts a
    cross join lateral (
      select m.id from messages m where m.account_id = a.id and m.id >= ${since}::uuid order by m.id desc limit 1
    ) last
    where ${chosen === null ? sql`a.kind <> 'OPERATOR'` : sql`a.id = any(${[...chosen]}::uuid[])`}
      and a.id <> all(${[...exempt]}::uuid[])
    order by last.id desc limit ${MAX_ACCOUNTS}`);
  return rows.map(({ id }) => id);
}

/** Oldest first, because the rule counts the messages of a new sender. */
const readMessages = (
  db: Queryable,
  now: Date,
  account_ids: readonly string[],
  each: number,
): Promise<TestedMessage[]> =>
  db.rows<TestedMessage>(sql`
    select m.id, m.account_id, a.company_name, m.country, m.channel, m.text, m.content, m.sender_id, m.create_date,
      m.is_cut,
      extract(epoch from m.create_date)::float8 * 1000 as sent_ms,
      coalesce(extract(epoch from s.create_date)::float8 * 1000, 0) as sender_ms
    from unnest(${account_ids}::uuid[]) as t(account_id)
    join accounts a on a.id = t.account_id
    cross join lateral (
      select n.*, count(*) over () = ${each} as is_cut from (
        select * from messages o
        where o.account_id = t.account_id and o.id >= ${idAt(now.getTime() - CONTENT_TEST_DAYS * DAY_MS)}::uuid
        order by o.id desc limit ${each}
      ) n
    ) m
    left join senders s on s.account_id = m.account_id and s.id = m.sender_id
    where m.direction = 'MT'
    order by m.id`);
