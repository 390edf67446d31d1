// Delays that double up to a ceiling, with jitter so that many clients cut off together do not come back together.

export type Range = { min_ms: number; max_ms: number };

export class Backoff {
  readonly range: Range;
  #random: () => number;
  #step = 0;

  constructor(range: Range, random: () => number = Math.random) {
    this.range = range;
    this.#random = random;
  }

  reset(): void {
    this.#step = 0;
  }

  /** Anything from nothing to the ceiling ("full jitter"): for reconnecting. */
  full(): number {
    return Math.round(this.#ceiling() * this.#random());
  }

  /** At least half of the ceiling: for pauses that must be pauses. */
  half(): number {
    return Math.round(this.#ceiling() * (0.5 + this.#random() / 2));
  }

  /** Near the longest delay, whatever came before: for what only a person can correct. */
  slow(): number {
    return Math.round(this.range.max_ms * (0.5 + this.#random() / 2));
  }

  #ceiling(): number {
    return Math.min(this.range.max_ms, this.range.min_ms * 2 ** Math.min(this.#step++, 20));
  }
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}
