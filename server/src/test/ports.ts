/**
 * Finds free ports: one for the app, and the first of five consecutive ones for the sandbox and the SMPP server.
 */
import { createServer } from 'node:net';

export async function freePorts(): Promise<[app: number, sandbox: number]> {
  for (let attempt = 0; attempt < 50; attempt++) {
    // Stays below the range from which the system assigns ports.
    const first = 20_000 + Math.floor(Math.random() * 11_000);
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
