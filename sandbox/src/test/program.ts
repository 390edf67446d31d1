/** Runs the sandbox as a process that a test can kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePorts } from './box.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

interface Program {
  process: ChildProcess;
  ports: { http: number; smpp: number; smpp_tls: number; smtp: number };
  /** All output on stdout so far. */
  output: () => string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

interface ProcessLimits {
  /** The maximum file size in ulimit blocks, used to simulate a full disk. */
  file_blocks?: number;
}

/** Starts the program. If it does not start, resolves with its exit code and output. */
export async function runProgram(
  env: Record<string, string>,
  { file_blocks }: ProcessLimits = {},
): Promise<Program | { code: number | null; stderr: string; stdout: string }> {
  const limit = file_blocks === undefined ? '' : `ulimit -f ${file_blocks}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, main], {
    env: { ...process.env, ...freePorts, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
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

export async function startProgram(env: Record<string, string>, limits?: ProcessLimits): Promise<Program> {
  const program = await runProgram(env, limits);
  if ('process' in program) return program;
  throw new Error(`the sandbox did not start: ${program.stderr}`);
}
