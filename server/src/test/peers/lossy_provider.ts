/**
 * Stands between Parley and a payment provider, and loses a request before the provider gets it, or its response after
 * the provider has acted. Both leave the same traces as a process that is killed before or after the call.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Loss = 'none' | 'request' | 'response';

export interface LossyProvider {
  readonly url: string;
  /** Applies to all calls until it is set again. */
  lose(what: Loss): void;
  stop(): Promise<void>;
}

/** The provider's library must not retry the call: a killed process cannot retry either. */
const NO_RETRY = { 'content-type': 'application/json', 'stripe-should-retry': 'false' };

export async function startLossyProvider(target: string): Promise<LossyProvider> {
  let loss: Loss = 'none';
  const server = createServer(async (request, response) => {
    const fail = () => response.writeHead(502, NO_RETRY).end('{"error":{"message":"Lost on purpose"}}');
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (loss === 'request') return void fail();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const reply = await fetch(target + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
    }).catch(() => null);
    if (!reply || loss === 'response') return void fail();
    const { 'content-encoding': ____, 'content-length': _____, ...kept } = Object.fromEntries(reply.headers);
    response
      .writeHead(reply.status, { ...kept, 'stripe-should-retry': 'false' })
      .end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lose(what) {
      loss = what;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
