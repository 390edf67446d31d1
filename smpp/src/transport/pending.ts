/**
 * Requests waiting for a response. Each settles exactly once: by its response, its deadline, or the end of the session.
 * All requests share one timer, because their deadlines are mostly in the order in which they were sent.
 */

import type { Command } from '../codec/commands.ts';
import { type Pdu, type PduDraft, STATUS } from '../pdu.ts';

/**
 * The response is unknown. `sent` is false if the request was never sent, and true if the peer may have acted on it.
 */
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

type Outstanding = {
  request: PduDraft;
  deadline: number;
  /** The number of the write that sends this request. It is compared with the number of writes done so far. */
  batch: number;
  resolve: (pdu: Pdu) => void;
  reject: (error: SessionError) => void;
};

/** The maximum number of timed-out requests that are kept in case their responses still arrive. */
const LATE = 1_000;

export class Pending {
  private readonly timeout_ms: number;
  private readonly waiting = new Map<number, Outstanding>();
  private readonly late = new Map<number, PduDraft>();
  private batch = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Number.POSITIVE_INFINITY;

  constructor(timeout_ms: number) {
    this.timeout_ms = timeout_ms;
  }

  get size(): number {
    return this.waiting.size;
  }

  /** Records that every request added so far was written to the socket. */
  flushed(): void {
    this.batch++;
  }

  add(sequence_number: number, request: PduDraft, timeout_ms = this.timeout_ms): Promise<Pdu> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + timeout_ms;
      this.waiting.set(sequence_number, { request, deadline, batch: this.batch, resolve, reject });
      if (deadline < this.timerAt) this.arm(deadline);
    });
  }

  /** Resolves the request that this response belongs to. Returns the request if it had already timed out. */
  settle(response: Pdu): PduDraft | undefined {
    const { sequence_number } = response;
    const entry = this.waiting.get(sequence_number);
    if (!entry) {
      const late = this.late.get(sequence_number);
      if (late && isResponseTo(response.command, late.command)) {
        this.late.delete(sequence_number);
        return late;
      }
      return undefined;
    }
    if (!isResponseTo(response.command, entry.request.command)) return undefined;
    this.waiting.delete(sequence_number);
    // A generic_nack is never a success, even if its status is 0.
    if (response.command === 'generic_nack') response.command_status ||= STATUS.ESME_RUNKNOWNERR;
    entry.resolve(response);
    return undefined;
  }

  /** Rejects a request whose response cannot be decoded. */
  rejectMalformed(sequence_number: number, command: Command | undefined, message: string): void {
    const entry = this.waiting.get(sequence_number);
    if (!entry || !command || !isResponseTo(command, entry.request.command)) return;
    this.waiting.delete(sequence_number);
    entry.reject(new SessionError('malformed', `The response cannot be read: ${message}`, true));
  }

  close(reason: string): void {
    clearTimeout(this.timer);
    const entries = [...this.waiting.values()];
    this.waiting.clear();
    this.late.clear();
    for (const entry of entries) entry.reject(new SessionError('closed', reason, entry.batch < this.batch));
  }

  private arm(deadline: number): void {
    clearTimeout(this.timer);
    this.timerAt = deadline;
    this.timer = setTimeout(() => this.expire(), Math.max(1, Math.ceil(deadline - performance.now())));
  }

  private expire(): void {
    this.timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [sequence_number, entry] of this.waiting) {
      if (entry.deadline > now) {
        next = Math.min(next, entry.deadline);
        continue;
      }
      this.waiting.delete(sequence_number);
      this.late.set(sequence_number, entry.request);
      entry.reject(new SessionError('timeout', `No response to ${entry.request.command}`, entry.batch < this.batch));
    }
    for (const oldest of this.late.keys()) {
      if (this.late.size <= LATE) break;
      this.late.delete(oldest);
    }
    if (next < Number.POSITIVE_INFINITY) this.arm(next);
  }
}

const isResponseTo = (response: Command, request: Command) =>
  response === 'generic_nack' || response === `${request}_resp`;
