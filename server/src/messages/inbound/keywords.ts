/**
 * Keywords that opt out (STOP), opt in (START) or request information (HELP). The whole message must be the keyword. It
 * takes effect in the transaction that stores the message, so no message can be submitted in between. Each change is
 * confirmed once.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { Problem } from '@parley/contract/problem.ts';
import { findPoolId, startNumber, stopNumber } from '../../audiences/audiences.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { accept } from '../gate/accept.ts';

type Keyword = 'stop' | 'start' | 'help';

/** The keyword lists of carriers and regulators in the United States and Canada, in folded form. */
const WORDS: Record<Keyword, string> = {
  stop: 'stop stopall quit end revoke optout cancel unsubscribe remove arret td',
  start: 'start yes unstop subscribe',
  help: 'help info aide',
};
const BY_WORD = new Map(
  (Object.keys(WORDS) as Keyword[]).flatMap((keyword) => WORDS[keyword].split(' ').map((word) => [word, keyword])),
) as ReadonlyMap<string, Keyword>;
const MAX_LENGTH = 40;

/**
 * The keywords that also count when they come from a button. "Cancel" or "Yes" on a button answers our own question
 * instead.
 */
const UNAMBIGUOUS: ReadonlySet<string> = new Set('stop stopall optout unsubscribe start unstop subscribe'.split(' '));

/** Ignores case, accents, spaces, and punctuation: "Opt-out." is read as OPTOUT. */
export function parseKeyword(text: string, pressed = false): Keyword | null {
  if (text.length > MAX_LENGTH) return null;
  const word = text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return pressed && !UNAMBIGUOUS.has(word) ? null : (BY_WORD.get(word) ?? null);
}

interface KeywordMessage {
  account_id: string;
  message_id: string;
  channel: ChannelName;
  sender_id: string;
  number: string;
  text: string;
  /** The time when the person wrote the message. */
  written_at: Date;
}

/** 47 CFR 64.1200 allows a confirmation within five minutes; after that, no reply is sent. */
const REPLY_SECONDS = 300;
/** Keeps two programs from answering each other forever. */
const REPLIES_PER_DAY = 5;

export async function applyKeyword(tx: Tx, keyword: Keyword, message: KeywordMessage): Promise<void> {
  const { account_id, number, sender_id, text, message_id } = message;
  const entry = { account_id, number, sender_id, text: text.slice(0, MAX_LENGTH), message_id };
  const delayMs = tx.now.getTime() - message.written_at.getTime();
  if (keyword === 'start' && delayMs > 0 && (await hasWrittenSince(tx, message))) return;
  if (keyword === 'stop' && !(await stopNumber(tx, { ...entry, reason: 'keyword' }))) return;
  if (keyword === 'start' && !(await startNumber(tx, entry))) return;
  if (keyword === 'help' && (await repliesToday(tx, message)) >= REPLIES_PER_DAY) return;
  if (delayMs > REPLY_SECONDS * 1_000) return;
  await enqueue(tx, keywordReply, { account_id, message_id, channel: message.channel, sender_id, number, keyword });
}

type KeywordReply = Omit<KeywordMessage, 'text' | 'written_at'> & { keyword: Keyword };

export const keywordReply = job<KeywordReply>('messages.answer_keyword', {
  retry: 5,
  retry_seconds: 1,
  concurrency: 2,
});

/**
 * Runs in its own transaction, so that the opt-out takes effect even if the company has no money or may not send. In
 * that case, only the confirmation is missing. A repeated run finds the first run's reply.
 */
export async function replyToKeyword(kernel: Kernel, { keyword, ...message }: KeywordReply): Promise<void> {
  const { account_id, channel, sender_id, number, message_id } = message;
  try {
    await kernel.db.tx(async (tx) => {
      if (await hasReplied(tx, message)) return;
      // The sender may have joined a number pool in the meantime, so the reply comes from the pool's sender.
      const from = await findPoolId(tx, account_id, sender_id);
      if (from !== sender_id && (await hasReplied(tx, { ...message, sender_id: from }))) return;
      const text = await replyText(tx, account_id, from, keyword);
      await accept(tx, kernel, {
        account_id,
        channel,
        from,
        recipients: [{ to: number, text }],
        source: 'reply',
        refusal: 'throw',
        validity_seconds: REPLY_SECONDS,
        // START has already removed the number from the stop list; HELP is answered for everyone.
        passes_stop_list: keyword !== 'start',
      });
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.warn({ account_id, message_id, problem: error.name, keyword }, 'could not reply to a keyword');
  }
}

async function replyText(tx: Tx, account_id: string, sender_id: string, keyword: Keyword): Promise<string> {
  const sender = await tx.one<{ brand: string; stop_text: string; start_text: string; help_text: string }>(sql`
    select coalesce(nullif(s.brand, ''), a.company_name) as brand, s.stop_text, s.start_text, s.help_text
    from senders s join accounts a on a.id = s.account_id
    where s.account_id = ${account_id} and s.id = ${sender_id}`);
  const { brand } = sender;
  const defaults: Record<Keyword, string> = {
    stop: `${brand}: You are unsubscribed and will receive no more messages from us. Reply START to resubscribe.`,
    start: `${brand}: You are subscribed to our messages again. Reply HELP for help, STOP to end.`,
    help: `${brand}: We send you messages from this number. Message and data rates may apply. Reply STOP to end.`,
  };
  return sender[`${keyword}_text`] || defaults[keyword];
}

/** Counts our replies to this person that no user wrote. */
const automaticReplies = ({ account_id, sender_id, number }: Omit<KeywordReply, 'keyword'>) => sql`
  account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and direction = 'MT'
    and source = 'reply'
  and user_id is null`;

const repliesToday = async (tx: Tx, message: KeywordMessage): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from messages where ${automaticReplies(message)}
        and create_date > now() - interval '24 hours'`)
  ).count;

/** A newer message may have revoked a keyword that arrives late. */
const hasWrittenSince = async (
  tx: Tx,
  { account_id, sender_id, number, message_id }: KeywordMessage,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from messages
    where account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and direction = 'MO'
      and id > ${message_id}
    limit 1`)) !== null;

/** Ids are ordered by time. */
const hasReplied = async (tx: Tx, message: Omit<KeywordReply, 'keyword'>): Promise<boolean> =>
  (await tx.maybeOne(
    sql`select from messages where ${automaticReplies(message)} and id > ${message.message_id} limit 1`,
  )) !== null;
