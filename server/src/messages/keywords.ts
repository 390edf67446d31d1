/**
 * Words that people send to be left alone, to be written to again, or to learn who writes. The whole message must be the word; what it does happens
 * in the transaction that stores the message, so nothing can be submitted between the two. Each change is confirmed once, and by nothing else.
 */
import type { ChannelName } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';
import { findPoolId, startNumber, stopNumber } from '../audiences/audiences.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { accept } from './accept.ts';

export type Keyword = 'stop' | 'start' | 'help';

// What carriers and regulators of the United States and Canada list, in the folded form.
const WORDS: Record<Keyword, string> = {
  stop: 'stop stopall quit end revoke optout cancel unsubscribe remove arret td',
  start: 'start yes unstop subscribe',
  help: 'help info aide',
};
const BY_WORD = new Map(
  (Object.keys(WORDS) as Keyword[]).flatMap((keyword) => WORDS[keyword].split(' ').map((word) => [word, keyword])),
) as ReadonlyMap<string, Keyword>;
const LONGEST = 40;

/** On a button of ours these words mean nothing else; "Cancel" or "Yes" there answers what we asked. */
const UNMISTAKABLE: ReadonlySet<string> = new Set('stop stopall optout unsubscribe start unstop subscribe'.split(' '));

/** Case, accents, spaces and punctuation do not count: "Opt-out." is OPTOUT. */
export function keywordOf(text: string, pressed = false): Keyword | null {
  if (text.length > LONGEST) return null;
  const word = text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return pressed && !UNMISTAKABLE.has(word) ? null : (BY_WORD.get(word) ?? null);
}

export interface KeywordMessage {
  account_id: string;
  message_id: string;
  channel: ChannelName;
  sender_id: string;
  number: string;
  text: string;
  /** When. */
  written: Date;
}

/** An answer that comes late is none (47 CFR 64.1200 allows a confirmation within five minutes). */
const ANSWER_SECONDS = 300;
/** Two programs that answer each other must run dry. */
const ANSWERS_A_DAY = 5;

export async function obeyKeyword(tx: Tx, keyword: Keyword, message: KeywordMessage): Promise<void> {
  const { account_id, number, sender_id, text, message_id } = message;
  const said = { account_id, number, sender_id, text: text.slice(0, LONGEST), message_id };
  const late = tx.now.getTime() - message.written.getTime();
  if (keyword === 'start' && late > 0 && (await hasWrittenSince(tx, message))) return;
  if (keyword === 'stop' && !(await stopNumber(tx, { ...said, reason: 'keyword' }))) return;
  if (keyword === 'start' && !(await startNumber(tx, said))) return;
  if (keyword === 'help' && (await answersToday(tx, message)) >= ANSWERS_A_DAY) return;
  if (late > ANSWER_SECONDS * 1_000) return;
  await enqueue(tx, keywordAnswer, { account_id, message_id, channel: message.channel, sender_id, number, keyword });
}

type Answer = Omit<KeywordMessage, 'text' | 'written'> & { keyword: Keyword };

export const keywordAnswer = job<Answer>('messages.answer_keyword', { retry: 5, retry_seconds: 1, concurrency: 2 });

/**
 * In a transaction of its own: a company without money, or one that may not send at the moment, has stopped all the same, and only the confirmation
 * is missing. A second run finds the answer of the first.
 */
export async function answerKeyword(kernel: Kernel, { keyword, ...message }: Answer): Promise<void> {
  const { account_id, channel, sender_id, number, message_id } = message;
  try {
    await kernel.db.tx(async (tx) => {
      if (await answered(tx, message)) return;
      // It may have been put behind another sender since.
      const from = await findPoolId(tx, account_id, sender_id);
      if (from !== sender_id && (await answered(tx, { ...message, sender_id: from }))) return;
      const text = await answerText(tx, account_id, from, keyword);
      await accept(tx, kernel, {
        account_id,
        channel,
        from,
        recipients: [{ to: number, text }],
        source: 'reply',
        refusal: 'throw',
        validity_seconds: ANSWER_SECONDS,
        // START has left the list already; HELP is for everybody.
        passes_stop_list: keyword !== 'start',
      });
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.warn({ account_id, message_id, problem: error.name, keyword }, 'a keyword could not be answered');
  }
}

async function answerText(tx: Tx, account_id: string, sender_id: string, keyword: Keyword): Promise<string> {
  const sender = await tx.one<{ brand: string; stop_text: string; start_text: string; help_text: string }>(sql`
    select coalesce(nullif(s.brand, ''), a.company_name) as brand, s.stop_text, s.start_text, s.help_text
    from senders s join accounts a on a.id = s.account_id
    where s.account_id = ${account_id} and s.id = ${sender_id}`);
  const { brand } = sender;
  const usual: Record<Keyword, string> = {
    stop: `${brand}: you are unsubscribed and will get no more messages from us. Reply START to get them again.`,
    start: `${brand}: you will get our messages again. Reply HELP for help, STOP to end.`,
    help: `${brand}: this is our number for messages to you. Message and data rates may apply. Reply STOP to end.`,
  };
  return sender[`${keyword}_text`] || usual[keyword];
}

// Of ours to this person that nobody wrote by hand.
const automatic = ({ account_id, sender_id, number }: Omit<Answer, 'keyword'>) => sql`
  account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and direction = 'MT' and source = 'reply'
  and user_id is null`;

const answersToday = async (tx: Tx, message: KeywordMessage): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from messages where ${automatic(message)} and create_date > now() - interval '24 hours'`)
  ).count;

/** What reaches us late may be taken back by what did not. */
const hasWrittenSince = async (
  tx: Tx,
  { account_id, sender_id, number, message_id }: KeywordMessage,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from messages
    where account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and direction = 'MO' and id > ${message_id}
    limit 1`)) !== null;

/** Ids are in the order of time. */
const answered = async (tx: Tx, message: Omit<Answer, 'keyword'>): Promise<boolean> =>
  (await tx.maybeOne(sql`select from messages where ${automatic(message)} and id > ${message.message_id} limit 1`)) !==
  null;
