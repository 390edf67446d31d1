/** Runs the command line program from its sources, as a process with its own home folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { until } from '../world.ts';

const MAIN = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url));
const ARGUMENTS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', MAIN];

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** The parsed lines of stdout. */
  lines(): Record<string, unknown>[];
  /** Waits until stdout or stderr contains the text. */
  shows(text: string): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
  finished: Promise<Finished>;
}

export interface Program {
  readonly home: string;
  readonly env: Record<string, string>;
  /** How another program starts this one. */
  command(args: readonly string[]): { command: string; args: string[]; env: Record<string, string>; cwd: string };
  run(args: readonly string[], options?: { input?: string | Buffer; env?: Record<string, string> }): Promise<Finished>;
  start(args: readonly string[], env?: Record<string, string>): Running;
}

export async function makeProgram(env: Record<string, string> = {}): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  // Loading compiled sources takes a fifth of the processor time.
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const own = { PATH, HOME: home, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...env };
  const start = (args: readonly string[], more: Record<string, string> = {}): Running => {
    const child = spawn(process.execPath, [...ARGUMENTS, ...args], { cwd: home, env: { ...own, ...more } });
    return follow(child, args);
  };
  return {
    home,
    env: own,
    start,
    command: (args) => ({ command: process.execPath, args: [...ARGUMENTS, ...args], env: own, cwd: home }),
    async run(args, { input, env: more } = {}) {
      const { child, finished } = start(args, more);
      // The program can end before it has read its input.
      child.stdin!.on('error', () => {});
      child.stdin!.end(input ?? '');
      return finished;
    },
  };
}

export const removeHome = ({ home }: Program): Promise<void> => rm(home, { recursive: true, force: true });

function follow(child: ChildProcess, args: readonly string[]): Running {
  const output = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
  const shown = () => `${output.stdout}\n${output.stderr}`;
  return {
    child,
    output,
    finished,
    lines: () =>
      output.stdout
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    shows: (text) => until(`${args.join(' ')} shows ${JSON.stringify(text)}`, () => shown().includes(text)),
    stop(signal = 'SIGINT') {
      child.kill(signal);
      return finished;
    },
  };
}

export interface Cable {
  readonly url: string;
  /** Breaks all connections, and refuses new ones until it is repaired. */
  cut(): void;
  restore(): void;
}

/** A connection to the server that can break. */
export async function makeCable(target: string): Promise<Cable> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) return socket.destroy();
    const other = connectTo({ host: hostname, port: Number(port) });
    for (const one of [socket, other]) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => sockets.delete(one));
    }
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    restore() {
      isCut = false;
    },
  };
}
