// JSON with 64-bit integers, as Viber writes them: message tokens and session ids are numbers beyond 2^53, so here they are digits in
// a string and must never become a JavaScript number.

interface RawJson {
  rawJSON(text: string): unknown;
}

/** These digits as a bare number when the object around them is written. */
export const bare = (digits: string): unknown => (JSON as unknown as RawJson).rawJSON(digits);

/** Whole numbers a double would change come back as they were written, in a RawNumber; everything else as JSON.parse has it. */
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
  digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    return bare(this.digits);
  }
}

const firstToken = 5_000_000_000_000_000_000n;
const firstSession = 7_000_000_000_000_000_000n;

/** Odd numbers of this size are between the doubles: whoever reads one as a double gets another number, every time. */
const numbered = (first: bigint, seq: number): string => String(first + BigInt(seq) * 10n + 7n);

export const tokenOf = (seq: number): string => numbered(firstToken, seq);
export const sessionIdOf = (seq: number): string => numbered(firstSession, seq);

/** Starts from the clock, so that a number is never given twice, even when the data directory was emptied in between. */
export class Numbers {
  #last = 0;

  next(): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 100);
    return this.#last;
  }
}
