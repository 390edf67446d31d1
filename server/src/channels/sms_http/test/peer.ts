/** A provider's server: it returns the response that a test sets, and keeps the last request. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Outcome, Outgoing } from '../../channel.ts';
import { getAdapter } from '../../index.ts';
import { CALLBACK, MESSAGE } from './table.ts';

interface PeerRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export async function startPeer() {
  let response: { status: number; body: unknown } = { status: 200, body: '' };
  let request: PeerRequest | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    request = { url: incoming.url!, headers: incoming.headers, body: Buffer.concat(pieces).toString('utf8') };
    const body = typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    respond(status: number, body: unknown): void {
      response = { status, body };
    },
    request: (): PeerRequest => request!,
    /** Sends `MESSAGE`, with these changes, through the adapter. */
    async send(adapter: string, settings: object, changes: Partial<Outgoing> = {}): Promise<Outcome> {
      const spec = { id: 'c1', settings: { base_url, ...settings }, callback_url: CALLBACK };
      const bind = getAdapter(adapter).open(spec, { report: async () => {}, incoming: async () => {}, changed() {} });
      const message = { ...MESSAGE, content: null, key: 'k4711', valid_seconds: 3_600, sent_parts: [] };
      const outcome = await bind.send({ ...message, ...changes });
      await bind.close(0);
      return outcome;
    },
    close: () => server.close(),
  };
}
