/**
 * Starts the processes that parse untrusted files. Each process parses one file, so nothing of one company's file can
 * reach another's. It has no settings and no secrets, cannot start programs, and writes only where it is allowed to.
 * The operating system limits its memory, because V8 limits only its own heap and not buffers or native libraries.
 */
import { type ChildProcess, fork } from 'node:child_process';

interface ProcessLimits {
  heap_mb: number;
  /** The most memory that the operating system gives the process. About 500 MB of it are reserved but not used. */
  memory_mb: number;
  /** The processor time after which the operating system ends the process, even if this process hangs. */
  cpu_seconds: number;
  /** The only folder that the process may write to. */
  writes?: string;
  native_code?: true;
}

/** Reads nothing, so that it works in every POSIX shell. A shell that cannot set a limit starts the process anyway. */
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"';

export function startLimited(entry: string, limits: ProcessLimits): ChildProcess {
  const options = [
    `--max-old-space-size=${limits.heap_mb}`,
    '--permission',
    '--allow-fs-read=*',
    ...(limits.native_code ? ['--allow-addons'] : []),
    ...(limits.writes === undefined ? [] : [`--allow-fs-write=${limits.writes}`]),
  ];
  const kilobytes = String(limits.memory_mb * 1024);
  const isPosix = process.platform !== 'win32';
  return fork(entry, {
    // The shell replaces itself with Node, so the id of the process stays the same.
    execPath: isPosix ? '/bin/sh' : process.execPath,
    execArgv: isPosix
      ? ['-c', LIMITED, 'sh', kilobytes, String(limits.cpu_seconds), process.execPath, ...options]
      : options,
    env: {},
    // Uses structured cloning, because the channel carries bytes, not JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
