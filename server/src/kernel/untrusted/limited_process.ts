/**
 * Starts the processes that parse untrusted files. Each process parses one file, so nothing of one company's file can
 * reach another's. It has no settings and no secrets, cannot start programs, and writes only where it is allowed to.
 * The operating system limits its memory, because V8 limits only its own heap and not buffers or native libraries.
 */
import { type ChildProcess, fork } from 'node:child_process';

interface SystemLimits {
  /** The most memory that the operating system gives the process. Node reserves about 500 MB more than it uses. */
  memory_mb: number;
  /** The processor time after which the operating system ends the process, even if this process hangs. */
  cpu_seconds: number;
}

interface ProcessLimits extends SystemLimits {
  heap_mb: number;
  /** The only folder that the process may write to. */
  writes?: string;
  native_code?: true;
}

/** Reads nothing, so that it works in every POSIX shell. A shell that cannot set a limit starts the process anyway. */
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"';

const isPosix = process.platform !== 'win32';

/** Returns the command that runs a program within the limits. */
export function limitedCommand(
  program: string,
  args: readonly string[],
  { memory_mb, cpu_seconds }: SystemLimits,
): { file: string; args: string[] } {
  if (!isPosix) return { file: program, args: [...args] };
  // The shell replaces itself with the program, so the id of the process stays the same.
  return {
    file: '/bin/sh',
    args: ['-c', LIMITED, 'sh', String(memory_mb * 1024), String(cpu_seconds), program, ...args],
  };
}

const bundles = new Map<string, string>();

/**
 * Makes `startLimited` start this bundle of the entry. Only tests call this: they start hundreds of these processes,
 * and loading a bundle takes a fifth of the time of loading the source files.
 */
export const startBundleInTests = (entry: string, bundle: string): void => void bundles.set(entry, bundle);

export function startLimited(entry: string, limits: ProcessLimits): ChildProcess {
  const options = [
    `--max-old-space-size=${limits.heap_mb}`,
    '--permission',
    '--allow-fs-read=*',
    ...(limits.native_code ? ['--allow-addons'] : []),
    ...(limits.writes === undefined ? [] : [`--allow-fs-write=${limits.writes}`]),
  ];
  const { file, args } = limitedCommand(process.execPath, options, limits);
  return fork(bundles.get(entry) ?? entry, {
    execPath: file,
    execArgv: args,
    env: {},
    // Uses structured cloning, because the channel carries bytes, not JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
