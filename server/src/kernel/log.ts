/**
 * Structured logs: one JSON object per line, in UTC. On every line, phone numbers are masked, and texts, secrets, and
 * tokens are dropped, so callers do not have to remember it. Never log a whole customer object.
 */
import { type DestinationStream, pino } from 'pino';
import type { Config } from './settings/config.ts';

export type Log = pino.Logger;

/** Fields that contain texts or secrets. */
const DROPPED = new Set(
  `text body html short_message message_payload payload password secret token authorization cookie api_key key_hash
   connection_string`.split(/\s+/),
);
/** Fields that contain phone numbers, with or without a plus sign. */
const NUMBERS = new Set(
  'number to from phone phone_number msisdn digits source destination source_addr destination_addr recipient'.split(
    ' ',
  ),
);

/** `+15551234567` becomes `+1555***4567`. Shorter numbers show fewer digits. */
export function maskNumber(number: string): string {
  const digits = number.replace(/\D/g, '');
  if (digits.length < 7) return number;
  const shown = digits.length >= 11 ? 4 : 2;
  return `${number.startsWith('+') ? '+' : ''}${digits.slice(0, shown)}***${digits.slice(-shown)}`;
}

/** Matches a secret in a URL, for example in the error message of a failed request. */
export const URL_SECRET = /([?&#](?:session_id|token|signature|code|api_key)=|\/reset-password\/)[^&#\s"'\\]+/gi;

const maskIn = (line: string): string => line.replace(/\+\d{7,15}(?!\d)/g, maskNumber).replace(URL_SECRET, '$1***');
const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\+?\d{7,15}$/.test(value);

function scrub(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth === 0) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => scrub(item, depth - 1));
  const out: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (DROPPED.has(name)) out[name] = '[dropped]';
    else if (NUMBERS.has(name) && isNumber(inner)) out[name] = maskNumber(inner);
    else if (NUMBERS.has(name) && Array.isArray(inner))
      out[name] = inner.slice(0, 50).map((item) => (isNumber(item) ? maskNumber(item) : scrub(item, depth - 1)));
    else out[name] = scrub(inner, depth - 1);
  }
  return out;
}

// PostgreSQL puts the offending values, which are customer data, into `detail` and `where`.
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
    ...(routine === undefined ? {} : { routine }),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  };
}

export function createLog(config: Pick<Config, 'LOG_LEVEL' | 'ROLE'>, to: DestinationStream = process.stdout): Log {
  return pino(
    {
      level: config.LOG_LEVEL,
      base: { role: config.ROLE },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (line) => scrub(line, 5) as Record<string, unknown>,
      },
      serializers: { err: describe },
      hooks: { streamWrite: maskIn },
    },
    to,
  );
}
