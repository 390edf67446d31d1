/** A server that records the exact bytes of callbacks and gives the responses that a test configures. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Json } from './box.ts';

export interface Received {
  path: string;
  body: string;
  json: Json;
  headers: IncomingHttpHeaders;
}

export class Receiver {
  url = '';
  received: Received[] = [];
  /** Returns the HTTP status of the response, or throws to cut the connection. */
  respond: (received: Received) => number | Promise<number> = () => 200;
  /** The body of every response. */
  responseBody: { type: string; bytes: Buffer } = { type: 'text/plain', bytes: Buffer.alloc(0) };
}

export async function openReceiver(path = '/callback'): Promise<Receiver> {
  const receiver = new Receiver();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const received = { path: request.url ?? '', body, json: body && JSON.parse(body), headers: request.headers };
    receiver.received.push(received);
    try {
      const { type, bytes } = receiver.responseBody;
      response.writeHead(await receiver.respond(received), { 'content-type': type }).end(bytes);
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${path}`;
  return receiver;
}
