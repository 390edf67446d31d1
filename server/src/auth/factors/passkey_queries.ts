import type { Passkey } from '@parley/contract/auth/second_factors.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';

/** Also deletes a few expired challenges, since any client can create challenges. */
export const insertChallenge = (
  db: Queryable,
  row: { id: string; login_id: string | null; challenge: string; now: Date; minutes: number },
) =>
  db.run(sql`
    with expired as (
      delete from passkey_challenges where id in (
        select id from passkey_challenges where expire_date < ${row.now} order by expire_date limit 20
        for update skip locked))
    insert into passkey_challenges (id, login_id, challenge, expire_date)
    values (${row.id}, ${row.login_id}, ${row.challenge},
            ${row.now}::timestamptz + make_interval(mins => ${row.minutes}))`);

/** A challenge is used up by any answer, correct or not. */
export const consumeChallenge = async (db: Queryable, id: string, login_id: string | null, now: Date) =>
  (
    await db.maybeOne<{ challenge: string }>(sql`
      delete from passkey_challenges
      where id = ${id} and login_id is not distinct from ${login_id}::uuid and expire_date > ${now}
      returning challenge`)
  )?.challenge ?? null;

export const selectPasskeys = (db: Queryable, login_id: string) =>
  db.rows<Passkey & { credential_id: string; transports: string[] }>(sql`
    select id, name, create_date, last_used_date, credential_id, transports from passkeys
    where login_id = ${login_id} order by create_date, id`);

interface StoredPasskey {
  id: string;
  login_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
}

export const selectPasskeyByCredential = (db: Queryable, credential_id: string) =>
  db.maybeOne<StoredPasskey>(sql`
    select p.id, p.login_id, p.credential_id, p.public_key, p.counter
    from passkeys p where p.credential_id = ${credential_id}`);

export const insertPasskey = (
  tx: Tx,
  row: {
    id: string;
    login_id: string;
    credential_id: string;
    public_key: Uint8Array;
    counter: number;
    transports: readonly string[];
    name: string;
  },
) =>
  tx.maybeOne<Passkey>(sql`
    insert into passkeys (id, login_id, credential_id, public_key, counter, transports, name, create_date)
    values (${row.id}, ${row.login_id}, ${row.credential_id}, ${Buffer.from(row.public_key)}, ${row.counter},
            ${row.transports}, ${row.name}, ${tx.now})
    on conflict (credential_id) do nothing
    returning id, name, create_date, last_used_date`);

/**
 * Returns false if the counter did not grow, which suggests a copied key. The counter of a key that does not count
 * stays at 0.
 */
export const advanceCounter = async (tx: Tx, id: string, counter: number): Promise<boolean> =>
  (await tx.run(sql`
    update passkeys set counter = ${counter}, last_used_date = ${tx.now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)) === 1;

export const deletePasskey = (tx: Tx, login_id: string, id: string) =>
  tx.maybeOne<{ name: string }>(sql`delete from passkeys where login_id = ${login_id} and id = ${id} returning name`);

export const markSecondFactor = (tx: Tx, account_id: string, session_id: string) =>
  tx.run(sql`update sessions set second_factor = true where account_id = ${account_id} and id = ${session_id}`);
