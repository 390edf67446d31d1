/** The keywords of an account. STOP, START, and HELP are data of the contract and work for every sender. */
import { reservedWord } from '@parley/contract/audiences/keyword_matching.ts';
import {
  type createKeyword as CreateKeyword,
  KEYWORDS_MAX,
  type Keyword,
  keywordChanged,
  type updateKeyword as UpdateKeyword,
} from '@parley/contract/audiences/keywords.ts';
import { unknownVariables } from '@parley/contract/channels/sms/text.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { isWatched } from '../people/field_queries.ts';
import { listContactFieldKeys } from '../people/fields.ts';
import * as queries from './queries.ts';

export const listKeywords = (db: Queryable, { account_id }: Actor): Promise<Keyword[]> =>
  queries.listKeywords(db, [account_id]);

export async function createKeyword(
  tx: Tx,
  { account_id }: Actor,
  body: Parsed<typeof CreateKeyword>['body'],
): Promise<Keyword> {
  await queries.lockKeywords(tx, account_id);
  const { length } = await queries.listKeywords(tx, [account_id]);
  if (length >= KEYWORDS_MAX) throw new Problem('KEYWORDS_LIMIT_EXCEEDED');
  const row = { account_id, id: newId(), position: length + 1, ...body };
  await requireValid(tx, row);
  const keyword = await queries.saveKeyword(tx, row);
  emit(tx, keywordChanged, account_id, { id: keyword.id });
  return keyword;
}

/** When a keyword moves to another position, the keywords in between shift by one. */
export async function updateKeyword(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  { position, ...body }: Parsed<typeof UpdateKeyword>['body'],
): Promise<Keyword> {
  await queries.lockKeywords(tx, account_id);
  const all = await queries.listKeywords(tx, [account_id]);
  const before = all.find((keyword) => keyword.id === id);
  if (!before) throw new Problem('KEYWORD_NOT_FOUND');
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const changed: Keyword = { ...before, ...given };
  // A keyword whose sender or label was deleted can still be turned off and moved.
  if (Object.keys(given).some((name) => name !== 'enabled')) await requireValid(tx, changed);
  const others = all.filter((keyword) => keyword.id !== id);
  const place = position === undefined ? all.indexOf(before) : position - 1;
  const ordered = [...others.slice(0, place), changed, ...others.slice(place)];
  for (const [n, keyword] of ordered.entries())
    if (keyword === changed || keyword.position !== n + 1)
      await queries.saveKeyword(tx, { ...keyword, position: n + 1 });
  emit(tx, keywordChanged, account_id, { id });
  return { ...changed, position: ordered.indexOf(changed) + 1 };
}

export async function removeKeyword(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  await queries.lockKeywords(tx, account_id);
  if (await isWatched(tx, account_id, 'keyword', id)) throw new Problem('KEYWORD_IN_USE');
  if ((await queries.deleteKeyword(tx, account_id, id)) === 0) throw new Problem('KEYWORD_NOT_FOUND');
  emit(tx, keywordChanged, account_id, { id });
}

async function requireValid(tx: Tx, row: Omit<Keyword, 'create_date'>): Promise<void> {
  const { account_id, words, effect, reply, label_ids } = row;
  if (effect === 'none' && reply === null && label_ids.length === 0) throw new Problem('KEYWORD_EFFECT_REQUIRED');
  if (effect === 'automation' && reply !== null)
    throw new Problem('KEYWORD_REPLY_INVALID', { message: 'A keyword that only starts automations has no reply' });
  const reserved = reservedWord(words, effect);
  if (reserved !== null)
    throw new Problem('KEYWORD_WORD_RESERVED', {
      message: `${reserved} always opts people out or in. Remove it, or change what the keyword does.`,
    });
  const unknown = reply?.includes('{') ? unknownVariables(reply, await listContactFieldKeys(tx, account_id)) : [];
  if (unknown.length > 0)
    throw new Problem('KEYWORD_REPLY_INVALID', { message: `Remove the unknown variable {${unknown[0]}}` });
  const { senders, labels } = await queries.countTargets(tx, row);
  if (senders < new Set(row.sender_ids).size) throw new Problem('SENDER_NOT_FOUND');
  if (labels < new Set(label_ids).size) throw new Problem('LABEL_NOT_FOUND');
}
