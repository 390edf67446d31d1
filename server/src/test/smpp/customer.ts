/** A company whose program binds to the SMPP server of a test. */
import type { SmppAccount } from '@parley/contract/smpp/smpp.ts';
import type { Pdu, PduDraft, PduFields } from '@parley/smpp/pdu.ts';
import { dial, type RawPeer } from '@parley/smpp/test/raw.ts';
import type { Company } from '../make.ts';
import type { World } from '../world.ts';

export interface SmppCustomer {
  readonly account: SmppAccount & { password: string };
  /** Opens a connection and binds. The response is the first PDU. */
  bind(options?: BindOptions): Promise<{ peer: RawPeer; response: Pdu }>;
}

interface BindOptions {
  type?: 'transceiver' | 'transmitter' | 'receiver';
  system_id?: string;
  password?: string;
  port?: number;
}

export const smppPort = (world: World): number => Number(world.settings.SMPP_PORT);

export async function makeSmppCustomer(world: World, company: Company, fields: object = {}): Promise<SmppCustomer> {
  const reply = await world.as(company.token).post('/v1/smpp_accounts', { name: 'Shop', ...fields });
  if (reply.status !== 201) throw new Error(reply.text);
  const account = reply.body.data as SmppCustomer['account'];
  return {
    account,
    async bind({ type = 'transceiver', port = smppPort(world), ...given } = {}) {
      const peer = await dial(port);
      const response = await peer.request({
        command: `bind_${type}`,
        sequence_number: 1,
        ...{ system_id: account.system_id, password: account.password, interface_version: 0x34, ...given },
      });
      if (!response) throw new Error('the connection was closed');
      return { peer, response };
    },
  };
}

let sequence = 100;

/** A submit_sm of a text in the default alphabet. */
export const submitSm = (from: string, to: string, text: string, fields: PduFields = {}): PduDraft => ({
  ...{ command: 'submit_sm', sequence_number: sequence++ },
  ...{ source_addr_ton: 1, source_addr_npi: 1, source_addr: from },
  ...{ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: to },
  short_message: Buffer.from(text, 'latin1'),
  ...fields,
});
