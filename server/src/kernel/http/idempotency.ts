/**
 * `Idempotency-Key`: the first response is stored in the transaction that did the work, so either both exist or neither
 * does. Repeating the key returns the same response, 422 if the body differs, or 409 while the first request is still
 * running. Keys are kept for at least 24 hours.
 */
import { createHash } from 'node:crypto';
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../db/db.ts';

interface Stored {
  status: number;
  response: unknown;
}

export const requestHash = (endpoint_id: string, input: unknown): string =>
  createHash('sha256').update(endpoint_id).update('\0').update(JSON.stringify(input)).digest('hex');

export async function replay(tx: Tx, account_id: string, key: string, hash: string): Promise<Stored | null> {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new Problem('IDEMPOTENCY_KEY_INVALID');
  const { free } = await tx.one<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${account_id} ${key}`}, 42)) as free`,
  );
  if (!free) throw new Problem('IDEMPOTENCY_KEY_IN_USE', { retry_after: 1 });
  const stored = await tx.maybeOne<Stored & { request_hash: string }>(sql`
    select status, response, request_hash from idempotency_keys where account_id = ${account_id} and key = ${key}`);
  if (!stored) return null;
  if (stored.request_hash !== hash) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return stored;
}

export async function remember(
  tx: Tx,
  account_id: string,
  key: string,
  hash: string,
  { status, response }: Stored,
): Promise<void> {
  await tx.run(sql`
    insert into idempotency_keys (account_id, key, request_hash, status, response)
    values (${account_id}, ${key}, ${hash}, ${status}, ${JSON.stringify(response)}::json)`);
}
