/** Simulates a small account's program over SMPP: it submits messages and gets receipts. The last one stays queued. */
import type { Pdu } from '@parley/smpp/pdu.ts';
import type { RawPeer } from '@parley/smpp/test/raw.ts';
import { sql } from '../../kernel/db/db.ts';
import { type SmppCustomer, submitSm } from '../smpp/customer.ts';
import { until, type World } from '../world.ts';

export async function useSmpp(world: World, { account, bind }: SmppCustomer, from: string, to: string): Promise<void> {
  const both = await bind();
  both.peer.send(submitSm(from, to, 'Over SMPP', { registered_delivery: 1 }));
  const { message_id } = await read(both.peer, 'submit_sm_resp');
  const { sequence_number } = await read(both.peer, 'deliver_sm');
  both.peer.send({ command: 'deliver_sm_resp', command_status: 0, sequence_number, message_id: '' });
  await both.peer.request({ command: 'query_sm', sequence_number: 2, message_id: message_id!, source_addr: from });
  both.peer.destroy();

  const sender = await bind({ type: 'transmitter' });
  sender.peer.send(submitSm(from, to, 'Over SMPP', { registered_delivery: 1 }));
  await read(sender.peer, 'submit_sm_resp');
  await until('the receipt waits', async () => {
    const row = await world.kernel.db.one<{ pending_count: number }>(
      sql`select pending_count from smpp_accounts where account_id = ${account.account_id} and id = ${account.id}`,
    );
    return row.pending_count > 0;
  });
  sender.peer.destroy();
}

/** Returns the next PDU with this command, and drops others. */
async function read(peer: RawPeer, command: string): Promise<Pdu> {
  for (;;) {
    const pdu = await peer.next();
    if (!pdu) throw new Error('the connection was closed');
    if (pdu.command === command) return pdu;
  }
}
