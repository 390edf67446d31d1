// The sandbox as a process of its own, to be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { anyPorts, later } from './box.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Program {
  process: ChildProcess;
  ports: { http: number; smpp: number; smpp_tls: number; smtp: number };
  /** Everything on stdout so far. */
  output: () => string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Confines {
  /** The biggest file it may write, in blocks of the shell's ulimit: how a disk is full without filling one. */
  file_blocks?: number;
}

/** Resolves with the exit code and what was said when the program refuses to start. */
export async function runProgram(
  env: Record<string, string>,
  { file_blocks }: Confines = {},
): Promise<Program | { code: number | null; stderr: string; stdout: string }> {
  const limit = file_blocks === undefined ? '' : `ulimit -f ${file_blocks}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, main], {
    env: { ...process.env, ...anyPorts, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  later(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  const ready = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (stdout.includes('\n')) ready.resolve();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const end = await Promise.race([ready.promise, exited]);
  if (end) return { code: end.code, stderr, stdout };
  return { process: child, ports: JSON.parse(stdout), output: () => stdout, exited };
}

export async function startProgram(env: Record<string, string>, confines?: Confines): Promise<Program> {
  const program = await runProgram(env, confines);
  if ('process' in program) return program;
  throw new Error(`the sandbox did not start: ${program.stderr}`);
}
