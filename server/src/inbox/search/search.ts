/**
 * Finds messages and notes by their words. A call reads the texts that are not in a block yet, and then a limited
 * number of blocks that have all words, so that its cost has a bound however many texts the account has (decision 77).
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type searchTexts as contract,
  FOUND_PER_PAGE,
  type FoundText,
  type FoundTexts,
} from '@parley/contract/inbox/text_search.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { type Query, readQuery, snippet } from '../../messages/messages.ts';
import { visibleBuckets } from '../inbox.ts';
import { listConversationsById } from '../queries.ts';
import * as queries from './search_queries.ts';

/** The blocks that one call reads, in batches: a common word fills the page from the first block. */
const PORTIONS = [1, 3, 8];
const BLOCKS = PORTIONS.reduce((sum, blocks) => sum + blocks);
/** Matching texts after which a call reads no more batches: three pages, because the caller may not view all. */
const ENOUGH = 3 * FOUND_PER_PAGE;
/** The matching texts whose conversations one call looks up. */
const HITS = 300;

/** The start of the next page: below a text that has no block, or in a block, below one of its texts. */
interface Place {
  fresh: boolean;
  block: number | null;
  id: string | null;
}

const START: Place = { fresh: true, block: null, id: null };
const ID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const FRESH = new RegExp(`^f[.]${ID}$`);
const BLOCK = new RegExp(`^b[.](\\d{1,9})(?:[.]${ID})?$`);

function readPlace(token: string | undefined): Place {
  if (token === undefined) return START;
  const fresh = FRESH.exec(token)?.[1];
  if (fresh !== undefined) return { fresh: true, block: null, id: fresh };
  const [, block, id = null] = BLOCK.exec(token) ?? [];
  if (block === undefined) throw new Problem('VALUE_INVALID', { field: 'page_token' });
  return { fresh: false, block: Number(block), id };
}

const writePlace = ({ block, id }: queries.Hit): string => (block === null ? `f.${id}` : `b.${block}.${id}`);

export async function searchTexts(
  db: Queryable,
  actor: Actor,
  { text, kind, page_token }: Parsed<typeof contract>['query'],
): Promise<FoundTexts> {
  const place = readPlace(page_token);
  const query = readQuery(text);
  if (!query) return { results: [], next: null };
  const { account_id, user_id } = actor;
  const scope = { account_id, user_id, buckets: visibleBuckets(actor), kind, ...query };
  const { hits, next } = await readHits(db, scope, place);
  const ids = hits.map(({ id }) => id);
  const found = ids.length > 0 ? await queries.readFoundTexts(db, scope, ids, FOUND_PER_PAGE + 1) : [];
  const results = await complete(db, scope, query, found.slice(0, FOUND_PER_PAGE));
  if (found.length <= FOUND_PER_PAGE) return { results, next };
  const last = hits.find(({ id }) => id === found[FOUND_PER_PAGE - 1]!.id)!;
  return { results, next: writePlace(last) };
}

/** Reads matching texts from the place on, and where to continue. */
async function readHits(
  db: Queryable,
  scope: queries.TextScope,
  place: Place,
): Promise<{ hits: queries.Hit[]; next: string | null }> {
  const fresh = place.fresh ? await queries.listFreshHits(db, scope, place.id, HITS) : [];
  if (fresh.length === HITS) return { hits: fresh, next: writePlace(fresh.at(-1)!) };
  const blocks = await queries.listBlocksWithWords(db, scope, place.block, BLOCKS + 1);
  const hits = [...fresh];
  let read = 0;
  for (const portion of PORTIONS) {
    if (read >= blocks.length || hits.length >= ENOUGH) break;
    const older = await queries.blockHits(db, scope, blocks.slice(read, Math.min(read + portion, BLOCKS)), place, HITS);
    hits.push(...older);
    if (older.length === HITS) return { hits, next: writePlace(older.at(-1)!) };
    read += portion;
  }
  const nextBlock = blocks[read];
  return { hits, next: nextBlock === undefined ? null : `b.${nextBlock}` };
}

async function complete(
  db: Queryable,
  { account_id, kind }: queries.TextScope,
  query: Query,
  found: readonly queries.Found[],
): Promise<FoundText[]> {
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ conversation_id }) => conversation_id))];
  const rows = await listConversationsById(db, account_id, ids);
  const conversations = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ conversation_id, text, ...rest }) => {
    const conversation = conversations.get(conversation_id);
    return conversation ? [{ ...rest, kind, conversation, snippet: snippet(text, query) }] : [];
  });
}
