import { messageChanged } from '@parley/contract/messages/messages.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import { messageJson } from '../model/message_columns.ts';

/** Emits an event with a message whose text or marks have changed. */
export const announceChange = (tx: Tx, account_id: string, id: string): Promise<void> =>
  emitSelected(
    tx,
    messageChanged,
    sql`
      select m.account_id, ${newId()}::uuid as id, ${messageJson} as payload, true as live
      from messages m where m.account_id = ${account_id} and m.id = ${id}`,
  );
