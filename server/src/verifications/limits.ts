/**
 * Limits on the codes of one account: to one phone, to neighboring numbers, and for one IP address and network. They
 * have the values of the limits on this installation's own codes, but are counted for each account separately, so no
 * account can use up the codes of another. One lock per account keeps concurrent requests from passing a limit
 * together.
 */
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Config } from '../kernel/settings/config.ts';
import { cooldown } from '../verify/verify.ts';

interface Counts {
  phone_hour: number;
  phone_day: number;
  neighbors_hour: number;
  address_hour: number;
  network_hour: number;
  /** Seconds since the last code to the phone. */
  since: number | null;
}

export interface CodeTarget {
  readonly account_id: string;
  readonly phone: string;
  readonly neighbors: string;
  readonly address: string | null;
  readonly network: string | null;
}

/** Throws CODE_SENT_RECENTLY or VERIFICATION_LIMIT_REACHED. Holds its lock until the commit. */
export async function requireAllowance(tx: Tx, config: Config, target: CodeTarget): Promise<void> {
  const { account_id, phone, neighbors, address, network } = target;
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7307))`);
  const sent = sql`select count(*)::int from sent_codes where account_id = ${account_id}`;
  const hour = sql`create_date > ${tx.now}::timestamptz - interval '1 hour'`;
  const counts = await tx.one<Counts>(sql`
    select (${sent} and phone = ${phone} and ${hour}) as phone_hour,
           (${sent} and phone = ${phone} and create_date > ${tx.now}::timestamptz - interval '1 day') as phone_day,
           (${sent} and neighbors = ${neighbors} and ${hour}) as neighbors_hour,
           (${sent} and address = ${address}::text and ${hour}) as address_hour,
           (${sent} and network = ${network}::text and ${hour}) as network_hour,
           (select extract(epoch from ${tx.now}::timestamptz - max(create_date))::float8 from sent_codes
            where account_id = ${account_id} and phone = ${phone}) as since`);
  const wait = counts.since === null ? 0 : Math.ceil(cooldown(counts.phone_hour) - counts.since);
  if (counts.phone_hour > 0 && wait > 0) throw new Problem('CODE_SENT_RECENTLY', { field: 'phone', retry_after: wait });
  const isExceeded =
    counts.phone_hour >= config.PHONE_CODES_NUMBER_HOUR ||
    counts.phone_day >= config.PHONE_CODES_NUMBER_DAY ||
    counts.neighbors_hour >= config.PHONE_CODES_NEIGHBOURS_HOUR ||
    counts.address_hour >= config.PHONE_CODES_ADDRESS_HOUR ||
    counts.network_hour >= config.PHONE_CODES_NETWORK_HOUR;
  if (isExceeded) throw new Problem('VERIFICATION_LIMIT_REACHED', { retry_after: 3_600 });
}
