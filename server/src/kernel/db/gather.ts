/**
 * Lets calls that wait at the same time share one piece of work, such as a statement or a transaction. The first call
 * starts the work immediately. Calls that arrive while work is in progress wait for the next one. The groups therefore
 * grow with the load, and a single call is not delayed. The work for a call always starts after the call has arrived,
 * so it reads nothing that is older than the call.
 */

interface GatherOptions {
  /** The maximum number of items that share one piece of work. */
  max: number;
  /** How many pieces of work run at once. */
  at_once: number;
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export class Gather<T, R> {
  private readonly work: (items: T[]) => Promise<R[]>;
  private readonly options: GatherOptions;
  private waiting: Waiting<T, R>[] = [];
  private running = 0;
  private starting = false;

  /** `work` returns one result per item, in the order of the items. If it fails, all of its items fail. */
  constructor(work: (items: T[]) => Promise<R[]>, options: GatherOptions) {
    this.work = work;
    this.options = options;
  }

  get idle(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.start();
    });
  }

  /** Starts after the other requests that have already arrived were read. */
  private start(): void {
    if (this.starting || this.waiting.length === 0 || this.running >= this.options.at_once) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      void this.run(this.waiting.splice(0, this.options.max));
      this.start();
    });
  }

  private async run(group: Waiting<T, R>[]): Promise<void> {
    this.running++;
    try {
      const results = await this.work(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.running--;
      this.start();
    }
  }
}
