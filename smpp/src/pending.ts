// Requests that wait for their answer. Each settles exactly once: by its response, its deadline or the end of the session.
// One timer for all of them: deadlines mostly come in the order of sending.

import type { Command } from './commands.ts';
import { type Pdu, type PduDraft, STATUS } from './pdu.ts';

/** The answer is not known. `sent` false: the request certainly never left. `sent` true: the peer may have acted on it. */
export class SessionError extends Error {
  readonly kind: 'timeout' | 'closed' | 'malformed';
  readonly sent: boolean;

  constructor(kind: 'timeout' | 'closed' | 'malformed', message: string, sent: boolean) {
    super(message);
    this.name = 'SessionError';
    this.kind = kind;
    this.sent = sent;
  }
}

export type Outstanding = {
  request: PduDraft;
  deadline: number;
  /** Which write it left with; compared with the number of writes done so far. */
  batch: number;
  resolve: (pdu: Pdu) => void;
  reject: (error: SessionError) => void;
};

/** Timed-out requests remembered in case their answer still comes. */
const LATE = 1_000;

export class Pending {
  #timeout_ms: number;
  #waiting = new Map<number, Outstanding>();
  #late = new Map<number, PduDraft>();
  #batch = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(timeout_ms: number) {
    this.#timeout_ms = timeout_ms;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Everything added so far has been handed to the socket. */
  flushed(): void {
    this.#batch++;
  }

  add(sequence_number: number, request: PduDraft, timeout_ms = this.#timeout_ms): Promise<Pdu> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + timeout_ms;
      this.#waiting.set(sequence_number, { request, deadline, batch: this.#batch, resolve, reject });
      if (deadline < this.#timerAt) this.#arm(deadline);
    });
  }

  /** Gives the response to whoever waits; returns the request when it had been given up before. */
  settle(response: Pdu): PduDraft | undefined {
    const { sequence_number } = response;
    const entry = this.#waiting.get(sequence_number);
    if (!entry) {
      const late = this.#late.get(sequence_number);
      if (late && answers(response.command, late.command)) {
        this.#late.delete(sequence_number);
        return late;
      }
      return undefined;
    }
    if (!answers(response.command, entry.request.command)) return undefined;
    this.#waiting.delete(sequence_number);
    // A nack is never a success, whatever it says.
    if (response.command === 'generic_nack') response.command_status ||= STATUS.ESME_RUNKNOWNERR;
    entry.resolve(response);
    return undefined;
  }

  /** The response came but cannot be read. */
  spoil(sequence_number: number, command: Command | undefined, message: string): void {
    const entry = this.#waiting.get(sequence_number);
    if (!entry || !command || !answers(command, entry.request.command)) return;
    this.#waiting.delete(sequence_number);
    entry.reject(new SessionError('malformed', `The answer cannot be read: ${message}`, true));
  }

  close(why: string): void {
    clearTimeout(this.#timer);
    const entries = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#late.clear();
    for (const entry of entries) entry.reject(new SessionError('closed', why, entry.batch < this.#batch));
  }

  #arm(deadline: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = deadline;
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, Math.ceil(deadline - performance.now())));
  }

  #expire(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [sequence_number, entry] of this.#waiting) {
      if (entry.deadline > now) {
        next = Math.min(next, entry.deadline);
        continue;
      }
      this.#waiting.delete(sequence_number);
      this.#late.set(sequence_number, entry.request);
      entry.reject(new SessionError('timeout', `No answer to ${entry.request.command}`, entry.batch < this.#batch));
    }
    for (const oldest of this.#late.keys()) {
      if (this.#late.size <= LATE) break;
      this.#late.delete(oldest);
    }
    if (next < Number.POSITIVE_INFINITY) this.#arm(next);
  }
}

const answers = (response: Command, request: Command) => response === 'generic_nack' || response === `${request}_resp`;
