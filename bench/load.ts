/**
 * Sends POST requests over a fixed number of connections. It writes prepared bytes and reads only the status and the
 * length of each response, so that the generator takes little of the CPU that is being measured.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  url: string;
  path: string;
  connections: number;
  /** The number of requests over all connections. */
  requests: number;
  headers: (index: number) => Record<string, string>;
  body: (index: number) => unknown;
}

export interface LoadResult {
  seconds: number;
  /** Milliseconds until each response was complete. */
  waits: number[];
}

/** Throws if a response has a status other than 200. */
export async function sendRequests(load: Load): Promise<LoadResult> {
  const { hostname, port, host } = new URL(load.url);
  const waits: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      try {
        for (let index = next++; index < load.requests; index = next++) {
          const sentAt = performance.now();
          socket.write(requestText(load, host, index));
          await readResponse(socket);
          waits.push(performance.now() - sentAt);
        }
      } finally {
        socket.destroy();
      }
    }),
  );
  return { seconds: (performance.now() - startedAt) / 1_000, waits };
}

function requestText({ path, headers, body }: Load, host: string, index: number): string {
  const text = JSON.stringify(body(index));
  const lines = Object.entries({ host, 'content-type': 'application/json', ...headers(index) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `POST ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function readResponse(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (error?: Error) => {
      socket.off('data', read);
      socket.off('error', end);
      socket.off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => end(new Error('the server closed the connection'));
    const read = (part: Buffer) => {
      text += part.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
      if (text.length < head + 4 + length) return;
      end(text.startsWith('HTTP/1.1 200') ? undefined : new Error(text.slice(0, 1_000)));
    };
    socket.on('data', read);
    socket.on('error', end);
    socket.on('close', closed);
  });
}
