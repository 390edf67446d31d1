/** Limits the submits per second of an account, with a bucket that holds the submits of one second. */
export class Throughput {
  private tokens: number;
  private at: number;
  private rate: number;
  private readonly now: () => number;

  constructor(rate: number, now: () => number = () => performance.now()) {
    this.rate = rate;
    this.tokens = this.capacity;
    this.now = now;
    this.at = now();
  }

  private get capacity(): number {
    return Math.max(1, this.rate);
  }

  setRate(rate: number): void {
    this.refill();
    this.rate = rate;
    this.tokens = Math.min(this.tokens, this.capacity);
  }

  take(): boolean {
    return Throughput.takeAll([this]);
  }

  /** Takes a token from each bucket, or from none. */
  static takeAll(buckets: readonly Throughput[]): boolean {
    for (const bucket of buckets) bucket.refill();
    if (buckets.some((bucket) => bucket.tokens < 1)) return false;
    for (const bucket of buckets) bucket.tokens--;
    return true;
  }

  private refill(): void {
    const now = this.now();
    this.tokens = Math.min(this.capacity, this.tokens + ((now - this.at) / 1_000) * this.rate);
    this.at = now;
  }
}
