/**
 * The carrier state of senders: quality, limits, and the state of the name. It is stored as reported and shown to the
 * owner. No rule depends on it.
 */
import type { CarrierState } from '@parley/contract/senders/carrier_state.ts';
import { type Sender, senderUpdated } from '@parley/contract/senders/senders.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';
import { findSender } from '../queries.ts';
import { reportNews } from './news.ts';
import { refreshStateJob } from './refresh_job.ts';

interface ReportedState {
  /** The sender's address at the carrier, or its code. Empty means all senders on the connection. */
  address: string;
  state: CarrierState;
}

interface ChangedSender {
  account_id: string;
  id: string;
  shared: boolean;
  before: CarrierState | null;
  now: CarrierState;
}

/** Merges reported facts into the stored state: the newest value of each fact wins, and the other facts stay. */
export async function recordCarrierStates(
  tx: Tx,
  connection_id: string,
  states: readonly ReportedState[],
): Promise<void> {
  for (const { address, state } of states) {
    const changed = await tx.rows<ChangedSender>(sql`
      with stored as (
        select account_id, id, carrier_state from senders
        where connection_id = ${connection_id} and delete_date is null
          and (${address}::text in (carrier_address, code) or ${address}::text = '')
          and not coalesce(carrier_state, '{}') @> ${JSON.stringify(state)}::jsonb
        order by id for update
      )
      update senders s
      set carrier_state = coalesce(s.carrier_state, '{}') || ${JSON.stringify(state)}::jsonb, update_date = ${tx.now}
      from stored t where s.account_id = t.account_id and s.id = t.id
      returning s.account_id, s.id, s.shared_from is not null as shared, t.carrier_state as before,
                s.carrier_state as now`);
    for (const { account_id, id, shared, before, now } of changed) {
      if (!shared) await reportNews(tx, { account_id, id }, before, now);
      // WhatsApp reports that the quality has changed, but not the new quality.
      if (!shared && state.quality_event !== undefined && state.quality === undefined)
        await enqueue(tx, refreshStateJob, { account_id, sender_id: id });
      const sender = (await findSender(tx, account_id, id)) as Sender;
      emit(tx, senderUpdated, account_id, sender);
    }
  }
}
