/**
 * Groups many small items into one transaction. Each item's promise settles together with its transaction. The first
 * item waits briefly for others, so that batches grow with the load, while a single item is hardly delayed.
 */

interface BatcherOptions {
  wait_ms: number;
  /** Flushes immediately when this many items are waiting. */
  flush_at: number;
  max: number;
}

interface Entry<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class Batcher<T> {
  private readonly work: (items: T[]) => Promise<void>;
  private readonly options: BatcherOptions;
  private waiting: Entry<T>[] = [];
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(work: (items: T[]) => Promise<void>, options: BatcherOptions) {
    this.work = work;
    this.options = options;
  }

  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.running) this.prepare();
    });
  }

  /** Resolves when no item is waiting or being processed. */
  async idle(): Promise<void> {
    while (this.running || this.waiting.length > 0) {
      if (!this.running) this.run();
      await this.running;
    }
  }

  private prepare(): void {
    if (this.waiting.length >= this.options.flush_at) this.run();
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
      // Runs the items one by one, so that an item the database rejects does not block the others.
      if (batch.length > 1 && isDataError(error)) for (const entry of batch) await this.settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }
}

/** Recognizes SQLSTATE classes 22 (data exception) and 23 (constraint violation). */
const isDataError = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');
