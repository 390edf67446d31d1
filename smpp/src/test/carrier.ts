// A carrier and clients of ours for tests: everything started is stopped after each test.

import { afterEach } from 'vitest';
import { type ClientOptions, type ClientState, type SessionError, SmppClient } from '../client.ts';
import { type Pdu, STATUS } from '../pdu.ts';
import { type Answer, type BoundSession, createSmppServer, type ServerOptions } from '../server.ts';

/** Run after the test, last first. */
export const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0).reverse()) await run();
});

export type Carrier = {
  port: number;
  bound: BoundSession[];
  submits: Pdu[];
  answer: (pdu: Pdu) => Answer | Promise<Answer>;
  close: () => Promise<void>;
};

export async function carrier(more: Partial<ServerOptions> = {}, port = 0): Promise<Carrier> {
  const it: Carrier = {
    port,
    bound: [],
    submits: [],
    answer: (pdu) => ({ message_id: `m${pdu.sequence_number}` }),
    close: () => server.close(50),
  };
  const server = createSmppServer({
    authenticate: (bind) => (bind.password === 'secret' ? 0 : STATUS.ESME_RINVPASWD),
    onBound: (session) => {
      it.bound.push(session);
      session.onSubmit = (pdu) => {
        it.submits.push(pdu);
        return it.answer(pdu);
      };
    },
    enquire_link_ms: 0,
    ...more,
  });
  it.port = await server.listen(port, '127.0.0.1');
  cleanup.push(it.close);
  return it;
}

export type Seen = [ClientState, string];
export function client(port: number, more: Partial<ClientOptions> = {}): { client: SmppClient; seen: Seen[] } {
  const seen: Seen[] = [];
  const made = new SmppClient({
    host: '127.0.0.1',
    port,
    system_id: 'esme',
    password: 'secret',
    enquire_link_ms: 0,
    reconnect: { min_ms: 10, max_ms: 40 },
    onState: (state, detail) => seen.push([state, detail]),
    ...more,
  });
  cleanup.push(() => made.stop(50));
  made.start();
  return { client: made, seen };
}
export const states = (seen: Seen[]) => seen.map(([state]) => state);
export const message = { destination_addr: '37491234567', short_message: Buffer.from('hi') };
export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: SessionError) => `${error.kind}, sent ${error.sent}`,
  );
