/**
 * Replies to keywords. The transaction that stores the message reserves the reply, and the transaction that accepts the
 * reply marks it as sent, so each message gets at most one reply, however often the job runs.
 */
import { fieldText } from '@parley/contract/audiences/field_values.ts';
import { replyLanguage } from '@parley/contract/audiences/keyword_matching.ts';
import type { KeywordKind, KeywordLanguage } from '@parley/contract/audiences/keyword_words.ts';
import type { Person } from '@parley/contract/audiences/people.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { render } from '@parley/contract/channels/sms/text.ts';
import { Problem } from '@parley/contract/problem.ts';
import { findPerson, findPoolId, listContactFieldKeys } from '../../audiences/audiences.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { accept } from '../gate/accept.ts';
import { lockPair } from '../thread/conversations.ts';
import { KEYWORD_TEXTS } from './keyword_texts.ts';

/** 47 CFR 64.1200 allows a confirmation within five minutes; after that, no reply is sent. */
export const REPLY_SECONDS = 300;
/** Keeps two programs from answering each other forever. */
const REPLIES_PER_DAY = 5;
const KEPT = '7 days';

interface Inbound {
  account_id: string;
  message_id: string;
  channel: ChannelName;
  sender_id: string;
  number: string;
}

interface KeywordReply extends Inbound {
  keyword: KeywordKind | 'custom';
  /** The reply of the account's own keyword. */
  text?: string | null;
  /** The languages of a word that every sender understands; null: it belongs to no single language. */
  languages?: readonly KeywordLanguage[] | null;
  /** The country of the person's number. */
  country?: string;
}

export const keywordReply = job<KeywordReply>('messages.answer_keyword', {
  retry: 5,
  retry_seconds: 1,
  concurrency: 2,
});

/** Stores that a message gets a reply to its keyword. Rules of the inbox then do not reply to it. */
export const reserveReply = (tx: Tx, { account_id, message_id }: Pick<Inbound, 'account_id' | 'message_id'>) =>
  tx.run(sql`
    insert into keyword_replies (account_id, message_id, create_date)
    values (${account_id}, ${message_id}, ${tx.now}) on conflict do nothing`);

/**
 * Runs in its own transaction, so that the opt-out takes effect even if the company has no money or may not send. In
 * that case, only the confirmation is missing.
 */
export async function replyToKeyword(kernel: Kernel, { keyword, ...message }: KeywordReply): Promise<void> {
  const { account_id, channel, sender_id, message_id } = message;
  failpoint('before_keyword_reply');
  try {
    await kernel.db.tx(async (tx) => {
      // The sender may have joined a number pool in the meantime, so the reply comes from the pool's sender.
      const from = await findPoolId(tx, account_id, sender_id);
      // Replies in one conversation run one after the other, so that the limit is exact.
      await lockPair(tx, { ...message, sender_id: from });
      await reserveReply(tx, message);
      if (await hasReplied(tx, message)) return;
      if ((await countRepliesToday(tx, { ...message, sender_id: from })) >= REPLIES_PER_DAY) return;
      const text = await writeReply(tx, { keyword, ...message, sender_id: from });
      const { accepted } = await accept(tx, kernel, {
        account_id,
        channel,
        from,
        recipients: [{ to: message.number, text: text.filled }],
        // Braces in the person's data are not links.
        source_text: text.written,
        source: 'reply',
        refusal: 'throw',
        validity_seconds: REPLY_SECONDS,
        // START has already removed the number from the stop list; HELP is answered for everyone.
        passes_stop_list: keyword === 'stop' || keyword === 'help',
      });
      await tx.run(sql`
        update keyword_replies set reply_id = ${accepted[0]?.id ?? null}
        where account_id = ${account_id} and message_id = ${message_id}`);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.warn({ account_id, message_id, problem: error.name, keyword }, 'could not reply to a keyword');
  }
  failpoint('after_keyword_reply');
}

async function writeReply(tx: Tx, reply: KeywordReply): Promise<{ written: string; filled: string }> {
  const { account_id, number, text } = reply;
  const person = await findPerson(tx, account_id, number);
  const written = text ?? (await readSenderText(tx, reply, person?.language ?? ''));
  if (!written.includes('{')) return { written, filled: written };
  return { written, filled: render(written, await readValues(tx, account_id, person)) };
}

async function readValues(tx: Tx, account_id: string, person: Person | null): Promise<Record<string, string>> {
  const keys = await listContactFieldKeys(tx, account_id);
  const { first_name = '', last_name = '', custom1 = '', custom2 = '', fields = {} } = person ?? {};
  return {
    ...Object.fromEntries(keys.map((key) => [key, fieldText(fields[key])])),
    ...{ first_name, last_name, custom1, custom2 },
    // Stays in the text for the gate.
    sms_opt_out: '{sms_opt_out}',
  };
}

/** The sender's own text, or the default text in the person's language. */
async function readSenderText(
  tx: Tx,
  { account_id, sender_id, keyword, languages = ['en'], country = '' }: KeywordReply,
  language: string,
): Promise<string> {
  const sender = await tx.one<{ brand: string; stop_text: string; start_text: string; help_text: string }>(sql`
    select coalesce(nullif(s.brand, ''), a.company_name) as brand, s.stop_text, s.start_text, s.help_text
    from senders s join accounts a on a.id = s.account_id
    where s.account_id = ${account_id} and s.id = ${sender_id}`);
  const kind = keyword === 'custom' ? 'help' : keyword;
  return (
    sender[`${kind}_text`] || KEYWORD_TEXTS[replyLanguage({ languages }, { language, country })][kind](sender.brand)
  );
}

const hasReplied = async (tx: Tx, { account_id, message_id }: Inbound): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from keyword_replies
    where account_id = ${account_id} and message_id = ${message_id} and reply_id is not null for update`)) !== null;

/** Counts the automatic replies to this person. */
const countRepliesToday = async (tx: Tx, { account_id, sender_id, number }: Inbound): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from messages
      where account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and direction = 'MT'
        and source = 'reply' and user_id is null and create_date > now() - interval '24 hours'`)
  ).count;

/** Deletes old rows. A job never runs that late. */
export const pruneKeywordReplies = (db: Kernel['db'], limit: number) =>
  db.run(sql`
    delete from keyword_replies where (account_id, message_id) in (
      select account_id, message_id from keyword_replies
      where create_date < now() - ${KEPT}::interval order by create_date limit ${limit})`);
