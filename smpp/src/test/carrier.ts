/** An SMPP server and clients for tests. Everything that a test starts is stopped after it. */

import { onTestFinished } from 'vitest';
import { type ClientOptions, type ClientState, type SessionError, SmppClient } from '../client.ts';
import { type Pdu, STATUS } from '../pdu.ts';
import { type BoundSession, createSmppServer, type ResponseFields, type ServerOptions } from '../server.ts';

type Carrier = {
  port: number;
  bound: BoundSession[];
  submits: Pdu[];
  respond: (pdu: Pdu) => ResponseFields | Promise<ResponseFields>;
  close: () => Promise<void>;
};

export async function startCarrier(more: Partial<ServerOptions> = {}, port = 0): Promise<Carrier> {
  const carrier: Carrier = {
    port,
    bound: [],
    submits: [],
    respond: (pdu) => ({ message_id: `m${pdu.sequence_number}` }),
    close: () => server.close(50),
  };
  const server = createSmppServer({
    authenticate: (bind) => (bind.password === 'secret' ? 0 : STATUS.ESME_RINVPASWD),
    onBound: (session) => {
      carrier.bound.push(session);
      session.onSubmit = (pdu) => {
        carrier.submits.push(pdu);
        return carrier.respond(pdu);
      };
    },
    enquire_link_ms: 0,
    ...more,
  });
  carrier.port = await server.listen(port, '127.0.0.1');
  onTestFinished(() => carrier.close());
  return carrier;
}

type StateChange = [ClientState, string];
export function startClient(
  port: number,
  more: Partial<ClientOptions> = {},
): { client: SmppClient; changes: StateChange[] } {
  const changes: StateChange[] = [];
  const client = new SmppClient({
    host: '127.0.0.1',
    port,
    system_id: 'esme',
    password: 'secret',
    enquire_link_ms: 0,
    reconnect: { min_ms: 10, max_ms: 40 },
    onState: (state, detail) => changes.push([state, detail]),
    ...more,
  });
  onTestFinished(() => client.stop(50));
  client.start();
  return { client, changes };
}
export const toStates = (changes: StateChange[]) => changes.map(([state]) => state);
export const message = { destination_addr: '37491234567', short_message: Buffer.from('hi') };
/** Resolves with how a request failed, or with `resolved`. */
export const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: SessionError) => `${error.kind}, sent ${error.sent}`,
  );
