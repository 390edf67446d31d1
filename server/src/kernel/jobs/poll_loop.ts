/** Repeats a step until it is stopped: after each wake-up, and otherwise at an interval. */
import type { Kernel } from '../kernel.ts';

/** For loops that read events, which get their positions shortly after their commit. */
export const EVENT_GATHER_MS = 40;

interface LoopOptions {
  /** Names the work in the log, if a step fails. */
  name: string;
  /** The longest pause between two steps, in milliseconds. */
  poll_ms: number;
  /**
   * How long after a wake-up the step starts, in milliseconds. Wake-ups in this time share it. Without it: immediately.
   */
  gather_ms?: number;
  /** Returns true if there is more to do now. */
  step(): Promise<unknown>;
}

export class PollLoop {
  private readonly options: LoopOptions;
  private readonly log: Kernel['log'];
  private woken = false;
  private isGathering = false;
  private end: () => void = () => {};
  private readonly ended: Promise<void>;
  stopped = false;

  constructor({ log }: Pick<Kernel, 'log'>, options: LoopOptions) {
    this.log = log;
    this.options = options;
    this.ended = this.run();
  }

  /** Starts the next step now, or right after the one in progress. With `gather_ms`, after that time. */
  wake = (): void => {
    this.woken = true;
    if (!this.isGathering) this.end();
  };

  /** Waits for the step in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.end();
    await this.ended;
  }

  private async run(): Promise<void> {
    // Lets the caller store the loop, which its step may use.
    await Promise.resolve();
    while (!this.stopped) {
      this.woken = false;
      if (!(await this.work())) await this.pause();
    }
  }

  private async work(): Promise<boolean> {
    try {
      return (await this.options.step()) === true;
    } catch (error) {
      this.log.error({ err: error }, this.options.name);
      // A step that fails is not repeated without a pause.
      this.woken = false;
      return false;
    }
  }

  private async pause(): Promise<void> {
    const { poll_ms, gather_ms } = this.options;
    if (!this.woken) await this.wait(poll_ms);
    if (!this.woken || gather_ms === undefined) return;
    this.isGathering = true;
    await this.wait(gather_ms);
    this.isGathering = false;
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.stopped) return resolve();
      const timer = setTimeout(resolve, ms);
      this.end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
