/**
 * Applies keywords: STOP, START, and HELP, and the account's own. They take effect in the transaction that stores the
 * message, so no message can be submitted in between. The reply is a separate job.
 */
import { type KeywordMatch, matchKeyword } from '@parley/contract/audiences/keyword_matching.ts';
import type { Keyword } from '@parley/contract/audiences/keywords.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import {
  enterByKeyword,
  listKeywords,
  optIn,
  parseNumber,
  startNumber,
  stopNumber,
} from '../../audiences/audiences.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { addLabels } from '../thread/keyword_labels.ts';
import { keywordReply, REPLY_SECONDS, reserveReply } from './keyword_replies.ts';

/** The first characters of the message that the history of the stop list keeps. */
const KEPT_LENGTH = 60;

interface KeywordMessage {
  id: string;
  account_id: string;
  channel: string;
  sender_id: string;
  /** The member of the number pool that the person wrote to. */
  member_id: string | null;
  number: string;
  text: string;
  /** True if the person pressed a button. */
  pressed: boolean;
  /** The time when the person wrote the message. */
  written_at: Date;
}

export async function applyKeywords(tx: Tx, messages: readonly KeywordMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const own = Map.groupBy(
    await listKeywords(tx, [...new Set(messages.map(({ account_id }) => account_id))]),
    (keyword) => keyword.account_id,
  );
  for (const message of messages) {
    const { account_id, sender_id, member_id, number, text, pressed } = message;
    const scope = {
      sender_ids: member_id === null ? [sender_id] : [sender_id, member_id],
      country: parseNumber(`+${number}`)?.country ?? '',
      pressed,
    };
    const match = matchKeyword(text, scope, own.get(account_id) ?? []);
    if (match) await applyKeyword(tx, match, message, scope.country);
  }
}

type Match = KeywordMatch<Keyword>;

async function applyKeyword(tx: Tx, match: Match, message: KeywordMessage, country: string): Promise<void> {
  const { kind, rule, built_in } = match;
  const { account_id, channel, number, sender_id, id: message_id } = message;
  if (rule) await addLabels(tx, message, rule.label_ids);
  if (rule && kind !== 'stop')
    await enterByKeyword(tx, {
      ...{ account_id, message_id, number, keyword_id: rule.id },
      channel: channel as ChannelName,
    });
  if (!(await changeConsent(tx, match, message))) return;
  if (kind === 'custom' && rule?.reply == null) return;
  if (tx.now.getTime() - message.written_at.getTime() > REPLY_SECONDS * 1_000) return;
  const pair = { account_id, message_id, channel: channel as ChannelName, sender_id, number };
  await reserveReply(tx, pair);
  await enqueue(tx, keywordReply, {
    ...pair,
    keyword: kind,
    text: rule?.reply ?? null,
    languages: built_in?.languages ?? null,
    country,
  });
}

/** Returns false if nothing has changed, so that there is nothing to confirm. */
async function changeConsent(tx: Tx, { kind, rule }: Match, message: KeywordMessage): Promise<boolean> {
  const { account_id, channel, number, sender_id, text, id: message_id } = message;
  const entry = { account_id, number, sender_id, text: text.slice(0, KEPT_LENGTH), message_id };
  if (kind === 'stop') return stopNumber(tx, { ...entry, reason: 'keyword' });
  if (kind !== 'start') return true;
  const isLate = tx.now > message.written_at;
  if (isLate && (await hasWrittenSince(tx, message))) return false;
  if (!rule) return startNumber(tx, entry);
  return optIn(tx, { ...entry, text, channel: channel as ChannelName, source: `Keyword ${rule.words[0]!}` });
}

/** A newer message may have revoked a keyword that arrives late. */
const hasWrittenSince = async (tx: Tx, { account_id, sender_id, number, id }: KeywordMessage): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from messages
    where account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and direction = 'MO'
      and id > ${id}
    limit 1`)) !== null;
