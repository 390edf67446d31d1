/**
 * Many small arrivals, one transaction: each item's promise settles with the transaction it was part of. The first to arrive waits a moment for
 * company, less when much company is there, so batches grow with the load and a single item hardly waits.
 */

export interface GatherOptions {
  wait_ms: number;
  /** So many need not wait. */
  enough: number;
  max: number;
}

interface Entry<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class Gather<T> {
  private readonly work: (items: T[]) => Promise<void>;
  private readonly options: GatherOptions;
  private waiting: Entry<T>[] = [];
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(work: (items: T[]) => Promise<void>, options: GatherOptions) {
    this.work = work;
    this.options = options;
  }

  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.running) this.prepare();
    });
  }

  /** Until nothing waits. */
  async idle(): Promise<void> {
    while (this.running || this.waiting.length > 0) {
      if (!this.running) this.run();
      await this.running;
    }
  }

  private prepare(): void {
    if (this.waiting.length >= this.options.enough) this.run();
    else this.timer ??= setTimeout(() => this.run(), this.options.wait_ms);
  }

  private run(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting.splice(0, this.options.max);
    this.running = this.settle(batch).finally(() => {
      this.running = null;
      if (this.waiting.length > 0) this.prepare();
    });
  }

  private async settle(batch: Entry<T>[]): Promise<void> {
    try {
      await this.work(batch.map((entry) => entry.item));
      for (const entry of batch) entry.resolve();
    } catch (error) {
      // One item the database refuses must not hold up the others for ever.
      if (batch.length > 1 && isAboutData(error)) for (const entry of batch) await this.settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (constraint violation). */
const isAboutData = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');
