/** Finds free ports below the range from which the system assigns ports, so no connection takes them meanwhile. */
import { createServer } from 'node:net';

const FIRST = 20_000;
const LAST = 31_000;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
  throw new Error('no free port');
}

/** One for the app, and the first of five consecutive ones for the sandbox and the SMPP server. */
export async function freePorts(): Promise<[app: number, sandbox: number]> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const ports = [first, first + 1, first + 2, first + 3, first + 4, first + 5];
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return [first, first + 1];
  }
  throw new Error('no free ports');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
