/**
 * The audit log for actions that affect security, users, keys, or money. Entries are append-only and are written in the
 * transaction of the action. Each entry for an account contains the hash of the previous one. `record` may be called
 * anywhere in an operation. The entry is written last, so its lock is held only for the commit.
 */
import { newId } from '../clock.ts';
import { runTogether, sql, type Tx } from '../db/db.ts';
import type { Ctx } from '../http/endpoint.ts';

export interface Act {
  /** Format: `noun.past_tense`, such as "user.blocked". */
  action: string;
  /** The account whose log gets the entry. Defaults to the caller's account. */
  account_id?: string;
  target?: { type: string; id: string; name: string };
  /** Must never contain secrets, codes, or full card numbers. */
  detail?: Record<string, unknown>;
}

/** The acting user: the context of a request, or fewer fields for actions without a request (jobs and sign-ins). */
export type Acting = Partial<Pick<Ctx, 'address' | 'request_id'>> & {
  headers?: { 'user-agent'?: string | undefined };
  actor: {
    account_id: string;
    user_id: string | null;
    real_user_id?: string | null;
    key_id?: string | null;
  };
};

const pending = new WeakMap<Tx, { acting: Acting; act: Act }[]>();

export function record(tx: Tx, acting: Acting, act: Act): void {
  let list = pending.get(tx);
  if (!list) {
    list = [];
    pending.set(tx, list);
    tx.beforeCommit('audit', flush);
  }
  list.push({ acting, act });
}

// The statements run in this order: the lock, then each entry with the hash of the previous one. The commit is sent
// with them.
async function flush(tx: Tx): Promise<void> {
  const list = pending.get(tx) ?? [];
  pending.delete(tx);
  // All transactions lock accounts in the same order, so they cannot deadlock.
  const accounts = [...new Set(list.map(({ acting, act }) => act.account_id ?? acting.actor.account_id))].sort();
  await runTogether(
    ...accounts.flatMap((account_id) => [
      tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7301))`),
      ...list
        .filter(({ acting, act }) => (act.account_id ?? acting.actor.account_id) === account_id)
        .map(({ acting, act }) => write(tx, account_id, acting, act)),
    ]),
  );
}

const write = (tx: Tx, account_id: string, { actor, address, request_id, headers }: Acting, act: Act) =>
  tx.run(sql`
    with last as (
      select number, hash from audit_log where account_id = ${account_id} order by number desc limit 1
    ), entry as (
      select ${account_id}::uuid as account_id, ${newId()}::uuid as id,
        coalesce((select number from last), 0) + 1 as number, ${act.action} as action,
        ${actor.user_id}::uuid as user_id, ${actor.real_user_id ?? null}::uuid as real_user_id,
        ${actor.key_id ?? null}::uuid as key_id,
        coalesce(
          (select trim(first_name || ' ' || last_name) from users
            where id = ${actor.real_user_id ?? actor.user_id}::uuid),
          (select name from api_keys where account_id = ${actor.account_id} and id = ${actor.key_id ?? null}::uuid),
        '') as actor_name, ${act.target?.type ?? ''} as target_type, ${act.target?.id ?? ''} as target_id,
        ${(act.target?.name ?? '').slice(0, 200)} as target_name, ${JSON.stringify(act.detail ?? {})}::jsonb as detail,
        ${address ?? ''} as address, ${(headers?.['user-agent'] ?? '').slice(0, 300)} as agent,
        ${request_id ?? ''} as request_id, date_trunc('milliseconds', ${tx.now}::timestamptz) as create_date
    )
    insert into audit_log (account_id, id, number, action, user_id, real_user_id, key_id, actor_name, target_type,
      target_id, target_name, detail, address, agent, request_id, create_date, hash)
    select account_id, id, number, action, user_id, real_user_id, key_id, actor_name, target_type, target_id,
      target_name, detail, address, agent, request_id, create_date,
      sha256(coalesce((select hash from last), '') || convert_to(audit_text(to_jsonb(entry)), 'UTF8'))
    from entry`);
