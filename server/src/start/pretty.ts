/** Formats a part's JSON log lines as short lines for a terminal. */
const HIDDEN = new Set(['level', 'time', 'msg', 'role', 'err', 'pid', 'hostname']);

export function pretty(part: string, line: string): string {
  const entry = read(line);
  if (!entry) return `${clock(new Date())}  ${part}  ${line}`;
  const { err } = entry as { err?: { message?: string; stack?: string } };
  const details = Object.entries(entry)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  const words = [String(entry.msg ?? ''), ...(err?.message ? [err.message] : []), ...details];
  const time = new Date(typeof entry.time === 'string' ? entry.time : Date.now());
  return `${clock(time)}  ${String(entry.level ?? 'info').padEnd(5)}  ${part}  ${words.filter(Boolean).join('  ')}`;
}

function read(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const clock = (time: Date): string => time.toTimeString().slice(0, 8);
