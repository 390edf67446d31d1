/** A sender's row, with the columns that the rules about its status need. */
import type { Sender } from '@parley/contract/senders/senders.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';

export interface SenderRow {
  id: string;
  name: string;
  code: string;
  channel: Sender['channel'];
  type: Sender['type'];
  status: Sender['status'];
  countries: string[];
  brand: string;
  business_name: string;
  connection_id: string | null;
  carrier_address: string | null;
  company_name: string;
  wish: { kind: 'random' | 'chosen'; codes: string[] } | null;
  /** True if an operator requested more information and the customer has not responded yet. */
  info_requested: boolean;
}

const select: Sql = sql`
  select s.id, s.name, s.code, s.channel, s.type, s.status, s.countries, s.brand, s.business_name, s.connection_id,
         s.carrier_address, a.company_name, s.wish,
         exists (
           select from sender_requests r
           where r.account_id = s.account_id and r.sender_id = s.id and r.status = 'IN_PROCESS'
             and r.info_requested) as info_requested
  from senders s join accounts a on a.id = s.account_id`;

/** Locks the sender until the end of the transaction. Removed senders are not found. */
export const lockSender = async (tx: Tx, account_id: string, id: string): Promise<SenderRow | null> => {
  await tx.run(sql`select 1 from senders where account_id = ${account_id} and id = ${id} for update`);
  return tx.maybeOne<SenderRow>(
    sql`${select} where s.account_id = ${account_id} and s.id = ${id} and s.delete_date is null`,
  );
};

/** Reads the sender without a lock, even if it was removed. */
export const readSender = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<SenderRow & { deleted: boolean }>(sql`
    select *, (select delete_date is not null from senders where account_id = ${account_id} and id = ${id}) as deleted
    from (${select} where s.account_id = ${account_id} and s.id = ${id}) sender`);

/** True before the first submission, after a rejection, and while the request waits for more information. */
export const isEditable = ({ status, info_requested }: Pick<SenderRow, 'status' | 'info_requested'>): boolean =>
  status === 'unregistered' || status === 'rejected' || (status === 'pending' && info_requested);
