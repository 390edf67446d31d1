/**
 * `Idempotency-Key`: the first response is stored in the transaction that did the work, so either both exist or neither
 * does. Repeating the key returns the same response, 422 if the body differs, or 409 while the first request is still
 * running. Keys are kept for at least 24 hours.
 */
import { createHash } from 'node:crypto';
import { Problem } from '@parley/contract/problem.ts';
import { jsonArray, runTogether, sql, type Tx } from '../db/db.ts';

export interface Stored {
  status: number;
  response: unknown;
}

export interface KeyedRequest {
  readonly key: string;
  readonly hash: string;
}

export const requestHash = (endpoint_id: string, input: unknown): string =>
  createHash('sha256').update(endpoint_id).update('\0').update(JSON.stringify(input)).digest('hex');

/** Test keys have their own names, so that a live request never gets the response of a test. */
export const idempotencyName = ({ test }: { test?: boolean }, key: string | undefined): string | undefined =>
  test && key !== undefined && isKey(key) ? `test ${createHash('sha256').update(key).digest('hex')}` : key;

const isKey = (key: string): boolean => /^[\x20-\x7e]{1,255}$/.test(key);

const lockName = (account_id: string, key: string): string => `${account_id} ${key}`;

export async function replay(tx: Tx, account_id: string, { key, hash }: KeyedRequest): Promise<Stored | null> {
  const [reply] = await replayAll(tx, account_id, [{ key, hash }]);
  if (reply instanceof Problem) throw reply;
  return reply!;
}

/**
 * Returns the stored response or the refusal of each request, and null for the requests that have to run. Of several
 * requests with the same key, only the first one runs.
 */
export async function replayAll(
  tx: Tx,
  account_id: string,
  requests: readonly (KeyedRequest | null)[],
): Promise<(Stored | Problem | null)[]> {
  const keys = [...new Set(requests.flatMap((request) => (request && isKey(request.key) ? [request.key] : [])))].sort();
  const [locks, rows] = keys.length > 0 ? await lockAndRead(tx, account_id, keys) : [[], []];
  const free = new Set(keys.filter((_, index) => locks[index]!.free));
  const stored = new Map(rows.map((row) => [row.key, row]));
  return requests.map((request) => {
    if (!request) return null;
    const { key, hash } = request;
    if (!isKey(key)) return new Problem('IDEMPOTENCY_KEY_INVALID');
    if (!free.has(key)) return new Problem('IDEMPOTENCY_KEY_IN_USE', { retry_after: 1 });
    const row = stored.get(key);
    if (!row) {
      free.delete(key);
      return null;
    }
    return row.request_hash === hash
      ? { status: row.status, response: row.response }
      : new Problem('IDEMPOTENCY_KEY_REUSED');
  });
}

/** The rows are read after the locks were taken, so the response of an earlier holder of a lock is not missed. */
const lockAndRead = (tx: Tx, account_id: string, keys: readonly string[]) =>
  runTogether(
    tx.rows<{ free: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtextextended(name, 42)) as free
      from unnest(${keys.map((key) => lockName(account_id, key))}::text[]) as t(name)`),
    tx.rows<Stored & { key: string; request_hash: string }>(sql`
      select key, status, response, request_hash from idempotency_keys
      where account_id = ${account_id} and key = any(${keys}::text[])`),
  );

export const remember = (tx: Tx, account_id: string, keyed: KeyedRequest, stored: Stored): Promise<void> =>
  rememberAll(tx, account_id, [{ keyed, stored }]);

export async function rememberAll(
  tx: Tx,
  account_id: string,
  done: readonly { keyed: KeyedRequest; stored: Stored }[],
): Promise<void> {
  await tx.run(sql`
    insert into idempotency_keys (account_id, key, request_hash, status, response)
    select ${account_id}, key, request_hash, status, response from unnest(
      ${done.map(({ keyed }) => keyed.key)}::text[], ${done.map(({ keyed }) => keyed.hash)}::text[],
      ${done.map(({ stored }) => stored.status)}::smallint[],
      ${jsonArray(done.map(({ stored }) => stored.response))}
    ) as t(key, request_hash, status, response)`);
}
