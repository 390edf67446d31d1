/** Delays that double up to a maximum, with jitter so that clients disconnected together do not reconnect together. */

export type Range = { min_ms: number; max_ms: number };

export class Backoff {
  readonly range: Range;
  private readonly random: () => number;
  private step = 0;

  constructor(range: Range, random: () => number = Math.random) {
    this.range = range;
    this.random = random;
  }

  reset(): void {
    this.step = 0;
  }

  /** Returns a delay between 0 and the current ceiling ("full jitter"), for reconnecting. */
  full(): number {
    return Math.round(this.ceiling() * this.random());
  }

  /** Returns a delay of at least half the current ceiling, for throttling that must slow the sender down. */
  half(): number {
    return Math.round(this.ceiling() * (0.5 + this.random() / 2));
  }

  /** Returns a delay of at least half the maximum, for errors that only a person can correct. */
  slow(): number {
    return Math.round(this.range.max_ms * (0.5 + this.random() / 2));
  }

  private ceiling(): number {
    return Math.min(this.range.max_ms, this.range.min_ms * 2 ** Math.min(this.step++, 20));
  }
}

/** Resolves after the delay, or as soon as the signal is aborted. */
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
