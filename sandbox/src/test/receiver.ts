// Where callbacks go in tests: keeps what came, byte for byte, and answers as it is told.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Json, later } from './box.ts';

export interface Received {
  path: string;
  body: string;
  json: Json;
  headers: IncomingHttpHeaders;
}

export class Receiver {
  url = '';
  received: Received[] = [];
  /** The HTTP status of each answer; throw to cut the line. */
  answer: (received: Received) => number | Promise<number> = () => 200;
  /** What is in each answer. */
  content: { type: string; bytes: Buffer } = { type: 'text/plain', bytes: Buffer.alloc(0) };
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
      const { type, bytes } = receiver.content;
      response.writeHead(await receiver.answer(received), { 'content-type': type }).end(bytes);
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${path}`;
  return receiver;
}
