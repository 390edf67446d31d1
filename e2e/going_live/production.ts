/** Runs `npm run serve` and the other commands of docs/going-live.md with an empty PostgreSQL, as an operator would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../server/src/start/postgres/embedded.ts';
import { ROOT } from '../system/parley.ts';
import { freePorts } from '../system/ports.ts';

export interface Production {
  app: string;
  admin: string;
  /** Runs a command of start.mjs and returns its output. */
  run(...args: string[]): Promise<{ code: number | null; text: string }>;
  serve(): Promise<void>;
  stop(): Promise<void>;
}

export async function prepareProduction(smtp_port: number): Promise<Production> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-live-'));
  // The bundled binaries play the company's own PostgreSQL server: Parley gets only its URL.
  const postgres = await startEmbedded({ folder: join(folder, 'database'), throwaway: true });
  const { app: port } = await freePorts();
  const app = `http://localhost:${port}`;
  const env = {
    ...Object.fromEntries(['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR'].map((name) => [name, process.env[name]])),
    DATABASE_URL: postgres.url,
    DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: app,
    SMTP_URL: `smtp://127.0.0.1:${smtp_port}`,
  };
  const start = (args: readonly string[]): { child: ChildProcess; text: () => string } => {
    const child = spawn(process.execPath, [join(ROOT, 'start.mjs'), ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        text += String(chunk);
      });
    return { child, text: () => text };
  };
  let server: ChildProcess | null = null;
  return {
    app,
    admin: app.replace('://', '://admin.'),
    async run(...args) {
      const { child, text } = start(args);
      return { code: await ended(child), text: text() };
    },
    async serve() {
      const { child, text } = start(['serve']);
      server = child;
      for (const deadline = Date.now() + 120_000; !text().includes('Parley is up'); ) {
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`serve did not start:\n${text()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async stop() {
      server?.kill('SIGTERM');
      if (server) await ended(server);
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', (code) => resolve(code));
  });
