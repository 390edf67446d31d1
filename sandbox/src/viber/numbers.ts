/**
 * JSON with 64-bit integers, as Viber writes it. Message tokens and session IDs exceed 2^53, so this code keeps them as
 * strings of digits and never converts them to a JavaScript number.
 */

interface RawJson {
  rawJSON(text: string): unknown;
}

/** Makes JSON.stringify write these digits as a bare number. */
export const bareNumber = (digits: string): unknown => (JSON as unknown as RawJson).rawJSON(digits);

/** Parses JSON like JSON.parse, but returns an integer that a double cannot represent as a RawNumber. */
export function parseExact(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
      ? new RawNumber(source)
      : value,
  );
}

export class RawNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    return bareNumber(this.digits);
  }
}

const firstToken = 5_000_000_000_000_000_000n;
const firstSession = 7_000_000_000_000_000_000n;

/**
 * Doubles cannot represent odd numbers of this size, so a client that parses such a number as a double always gets a
 * different number.
 */
const numbered = (first: bigint, seq: number): string => String(first + BigInt(seq) * 10n + 7n);

export const toToken = (seq: number): string => numbered(firstToken, seq);
export const toSessionId = (seq: number): string => numbered(firstSession, seq);

/** Counts up from the current time, so that no number repeats, even after the data directory has been emptied. */
export class Numbers {
  private last = 0;

  next(): number {
    this.last = Math.max(this.last + 1, Date.now() * 100);
    return this.last;
  }
}
