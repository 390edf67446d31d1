/**
 * Finds free ports below the range that the operating system assigns, so no other program takes them in the meantime.
 */
import { createServer } from 'node:net';

const FIRST = 20_000;
const LAST = 32_000;
/** The sandbox, and the SMPP server after it. */
const SANDBOX_PORTS = 5;

export async function freePorts(): Promise<{ app: number; sandbox: number }> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const app = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const ports = Array.from({ length: 1 + SANDBOX_PORTS }, (_, index) => app + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return { app, sandbox: app + 1 };
  }
  throw new Error(`No ${1 + SANDBOX_PORTS} consecutive free ports between ${FIRST} and ${LAST}`);
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
