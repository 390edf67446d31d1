/** A peer that may break every rule: it writes any octets and records the PDUs it receives. */

import { connect, createServer, type Socket } from 'node:net';
import { FrameSplitter } from '../codec/frames.ts';
import { decodePdu, encodePdu, type Pdu, type PduDraft } from '../pdu.ts';

export class RawPeer {
  readonly socket: Socket;
  readonly received: Pdu[] = [];
  /** Resolves when the other side closes the connection. */
  readonly closed: Promise<void>;
  private readonly waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    const splitter = new FrameSplitter();
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      splitter.push(chunk, (frame) => this.received.push(decodePdu(frame)));
      for (const wake of this.waiting.splice(0)) wake();
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const wake of this.waiting.splice(0)) wake();
        resolve();
      });
    });
  }

  write(octets: Buffer | string): void {
    this.socket.write(octets);
  }

  send(...pdus: PduDraft[]): void {
    this.socket.write(Buffer.concat(pdus.map((pdu) => encodePdu(pdu))));
  }

  /** Returns the next received PDU, or undefined if the connection ended. */
  async next(): Promise<Pdu | undefined> {
    while (this.received.length === 0 && !this.socket.destroyed) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return this.received.shift();
  }

  /** Sends a request and returns the next PDU. */
  request(pdu: PduDraft): Promise<Pdu | undefined> {
    this.send(pdu);
    return this.next();
  }

  destroy(): void {
    this.socket.destroy();
  }
}

export function dial(port: number): Promise<RawPeer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => resolve(new RawPeer(socket)));
  });
}

/** Listens and passes each connection to `onPeer`. Closing also closes all accepted connections. */
export async function listen(onPeer: (peer: RawPeer) => void): Promise<{ port: number; close: () => Promise<void> }> {
  const peers = new Set<RawPeer>();
  const server = createServer((socket) => {
    const peer = new RawPeer(socket);
    peers.add(peer);
    onPeer(peer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const peer of peers) peer.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as { port: number }).port, close };
}

export async function until(condition: () => boolean, timeout_ms = 20_000): Promise<void> {
  const deadline = performance.now() + timeout_ms;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Not true within ${timeout_ms} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
