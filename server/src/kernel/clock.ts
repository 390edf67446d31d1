/** Time and ids. Operations take the clock as an input, so tests can control it. */
import { randomBytes } from 'node:crypto';

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that tests advance by hand. */
export function heldClock(start: Date): Clock & { advance(ms: number): void } {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms;
    },
  };
}

export const ID_MARGIN_MS = 600_000;

interface LastId {
  ms: number;
  counter: number;
}
const lastNow: LastId = { ms: 0, counter: 0 };
/** The last id for a given time, which may be later than now. The ids for now must not follow it. */
const lastGiven: LastId = { ms: 0, counter: 0 };
// Random bytes are generated in large batches, because generating 16 bytes at a time costs more than the rest of an id.
let pool = randomBytes(4_096);
let drawn = 0;

/**
 * Returns a UUID version 7 (RFC 9562). Ids are ordered by creation, even within one millisecond in one process, so
 * primary keys append and lists can be paged by id. If the clock is set back by more than ID_MARGIN_MS, ids follow it,
 * so that they stay close to the times stored with them. An id is not a secret: tokens come from `secret()`.
 */
export function newId(given?: number): string {
  const ms = given ?? Date.now();
  const last = given === undefined ? lastNow : lastGiven;
  if (ms > last.ms || ms < last.ms - ID_MARGIN_MS) {
    last.ms = ms;
    last.counter = randomBytes(2).readUInt16BE() & 0x7ff;
  } else {
    last.counter++;
    if (last.counter > 0xfff) {
      last.ms++;
      last.counter = 0;
    }
  }
  if (drawn === pool.length) {
    pool = randomBytes(4_096);
    drawn = 0;
  }
  const bytes = pool.subarray(drawn, drawn + 16);
  drawn += 16;
  bytes.writeUIntBE(last.ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.counter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns the smallest id for a moment, for selecting id ranges by time. An id may be created up to ID_MARGIN_MS before
 * or after the time stored with it.
 */
export function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
/** 256 random bits, URL-safe. */
export const secret = (): string => randomBytes(32).toString('base64url');
