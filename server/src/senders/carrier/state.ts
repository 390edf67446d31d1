/** What carriers say of a sender (quality, limits, the state of its name): kept as they say it, shown to its owner, never decided by. */
import type { CarrierState } from '@parley/contract/senders/carrier_state.ts';
import { type Sender, senderUpdated } from '@parley/contract/senders/senders.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';
import { tellNews } from './news.ts';
import { lookJob } from './refresh_job.ts';
import { senderById } from '../queries.ts';

export interface SenderState {
  /** As the carrier knows the sender, or its code; empty: all of the connection. */
  address: string;
  state: CarrierState;
}

interface Changed {
  account_id: string;
  id: string;
  lent: boolean;
  before: CarrierState | null;
  now: CarrierState;
}

/** The last word on each point counts; others stay. */
export async function takeSenderStates(tx: Tx, connection_id: string, states: readonly SenderState[]): Promise<void> {
  for (const { address, state } of states) {
    const changed = await tx.rows<Changed>(sql`
      with known as (
        select account_id, id, carrier_state from senders
        where connection_id = ${connection_id} and (${address}::text in (carrier_address, code) or ${address}::text = '') and delete_date is null
          and not coalesce(carrier_state, '{}') @> ${JSON.stringify(state)}::jsonb
        order by id for update
      )
      update senders s set carrier_state = coalesce(s.carrier_state, '{}') || ${JSON.stringify(state)}::jsonb, update_date = ${tx.now}
      from known k where s.account_id = k.account_id and s.id = k.id
      returning s.account_id, s.id, s.lent_from is not null as lent, k.carrier_state as before, s.carrier_state as now`);
    for (const { account_id, id, lent, before, now } of changed) {
      if (!lent) await tellNews(tx, { account_id, id }, before, now);
      // That its rating has changed is told, but not to what.
      if (!lent && state.quality_event !== undefined && state.quality === undefined)
        await enqueue(tx, lookJob, { account_id, sender_id: id });
      const sender = (await senderById(tx, account_id, id)) as Sender;
      emit(tx, senderUpdated, account_id, sender);
    }
  }
}
