/**
 * Search across an account's records: a few results of each kind that the caller may view. One statement runs a query
 * per kind. Each query reads either a bounded set of rows or an index, so its cost does not depend on the size of other
 * accounts.
 */
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import { canFind, findableBuckets, SEARCH_KINDS, type SearchResult } from '@parley/contract/search/search.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';

export async function listSearchResults(db: Queryable, actor: Actor, text: string): Promise<SearchResult[]> {
  const buckets: Bucket[] = findableBuckets(actor);
  const search = queries.readText({ account_id: actor.account_id, user_id: actor.user_id, buckets }, text);
  const kinds = SEARCH_KINDS.filter((kind) => canFind(kind, actor.permissions));
  return queries.findRecords(db, search, kinds);
}
