/** What carriers say of a sender (quality, limits, the state of its name): kept as they say it, shown to its owner, never decided by. */
import { type Sender, senderUpdated } from '@parley/contract/senders.ts';
import { sql, type Tx } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';
import { senderById } from './queries.ts';

export interface SenderState {
  /** As the carrier knows the sender, or its code; empty: all of the connection. */
  address: string;
  state: Readonly<Record<string, string | number | boolean>>;
}

/** The last word on each point counts; others stay. */
export async function takeSenderStates(tx: Tx, connection_id: string, states: readonly SenderState[]): Promise<void> {
  for (const { address, state } of states) {
    const changed = await tx.rows<{ account_id: string; id: string }>(sql`
      update senders s set carrier_state = coalesce(carrier_state, '{}') || ${JSON.stringify(state)}::jsonb, update_date = ${tx.now}
      where connection_id = ${connection_id} and (${address}::text in (carrier_address, code) or ${address}::text = '') and delete_date is null
        and not coalesce(carrier_state, '{}') @> ${JSON.stringify(state)}::jsonb
      returning account_id, id`);
    for (const { account_id, id } of changed) {
      const sender = (await senderById(tx, account_id, id)) as Sender;
      emit(tx, senderUpdated, account_id, sender);
    }
  }
}
