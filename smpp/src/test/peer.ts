/**
 * The npm package "smpp", an independent implementation. Only the parts that the tests and the benchmark use are typed.
 */

import { createRequire } from 'node:module';
import type { Server, Socket } from 'node:net';

export type PeerMessage = { udh?: Buffer[]; message: string | Buffer };
export type PeerPdu = {
  command: string;
  command_status: number;
  sequence_number: number;
  [field: string]: unknown;
  response(fields?: object): PeerPdu;
};
export type PeerSession = {
  socket: Socket;
  server?: Server;
  on(event: string, listener: (pdu: PeerPdu) => void): void;
  send(pdu: PeerPdu): boolean;
  close(): void;
  destroy(): void;
} & Record<
  | 'bind_transceiver'
  | 'bind_transmitter'
  | 'bind_receiver'
  | 'submit_sm'
  | 'deliver_sm'
  | 'data_sm'
  | 'query_sm'
  | 'enquire_link'
  | 'unbind',
  (fields: object, onResponse: (pdu: PeerPdu) => void) => boolean
>;

type PeerModule = {
  connect(options: { url: string } & Record<string, unknown>): PeerSession;
  createServer(options: object, onSession: (session: PeerSession) => void): Server;
};

export const peer = createRequire(import.meta.url)('smpp') as PeerModule;

/** Sends a request from the peer and resolves with the response. */
export function request(
  session: PeerSession,
  command: keyof { [K in keyof PeerSession as PeerSession[K] extends (f: object, a: never) => boolean ? K : never]: 1 },
  fields: object = {},
): Promise<PeerPdu> {
  return new Promise((resolve) => session[command](fields, resolve));
}
