/**
 * A line to a carrier that is called over HTTP: never more than its window without an answer, never faster than its pace. What was refused before it was
 * sent has certainly not left; what was cut off or not answered in time may have. A carrier that cannot be reached, or asks for less, is left alone for
 * longer and longer, and then tried with one message.
 */
import { randomUUID } from 'node:crypto';
import type { Line, LineEvents, LineState, Outcome, Outgoing, SendFailure } from './channel.ts';
import { CallFailed, callHttp, type HttpCall, type Keeper, keepConnections } from './http_call.ts';

export interface HttpLineOptions {
  /** Messages without an answer yet. */
  window: number;
  /** Messages a second; null: as fast as it goes. */
  throughput: number | null;
  timeout_ms: number;
  /** What is sent. May first ask the carrier for something else (`keeper`); nothing of the message has left then. Throws `NotSent`, or what went wrong. */
  request(message: Outgoing, keeper: Keeper, signal: AbortSignal): HttpCall | Promise<HttpCall>;
  /** What the answer means. */
  read(status: number, body: string, message: Outgoing): Reading;
}

export interface Reading extends Outcome {
  /** "Less" or "not now" is meant for this person or this sender: no reason for the line to rest. */
  narrow?: boolean;
}

/** The message was not handed over, and this is why. */
export class NotSent extends Error {
  readonly failure: SendFailure;
  readonly narrow: boolean;
  constructor(failure: SendFailure, { narrow = false } = {}) {
    super(failure.text);
    this.name = 'NotSent';
    this.failure = failure;
    this.narrow = narrow;
  }
}

/** Of the messages that may leave in a second, how many at once. */
const AHEAD = 0.1;
const PAUSE_MS = { first: 500, most: 30_000 };
/** So many in a row of which nobody knows, or that the carrier would not take for once, and no more are risked. */
const MISSES_MOST = 3;

export const openHttpLine = (options: HttpLineOptions, events: LineEvents): Line => new HttpLine(options, events);

class HttpLine implements Line {
  readonly window: number;
  readonly burst: number;
  state: LineState = 'bound';
  detail = '';
  session: string | null = randomUUID();
  private readonly options: HttpLineOptions;
  private readonly events: LineEvents;
  private readonly keeper: Keeper;
  private readonly abort = new AbortController();
  private readonly underway = new Set<Promise<unknown>>();
  private allowance: number;
  private counted_at = performance.now();
  private pauses = 0;
  private resuming: NodeJS.Timeout | undefined;
  private misses = 0;
  /** After a pause, until something goes through. */
  private probing = false;

  constructor(options: HttpLineOptions, events: LineEvents) {
    const { window, throughput } = options;
    this.options = options;
    this.events = events;
    this.window = window;
    this.burst = throughput === null ? window : Math.min(window, Math.max(1, Math.ceil(throughput * AHEAD)));
    this.allowance = this.burst;
    // A message may need a second request of its own, for its file.
    this.keeper = keepConnections(window * 2);
  }

  get in_flight(): number {
    return this.underway.size;
  }

  get free(): number {
    if (this.state !== 'bound') return 0;
    const room = (this.probing ? 1 : this.window) - this.in_flight;
    return Math.max(0, Math.min(room, Math.floor(this.allowed())));
  }

  private allowed(): number {
    const { throughput } = this.options;
    if (throughput === null) return this.window;
    const now = performance.now();
    this.allowance = Math.min(this.burst, this.allowance + ((now - this.counted_at) / 1_000) * throughput);
    this.counted_at = now;
    return this.allowance;
  }

  send(message: Outgoing): Promise<Outcome> {
    this.allowed();
    this.allowance--;
    const sending = this.attempt(message);
    this.underway.add(sending);
    return sending.then(({ narrow, unasked, ...outcome }) => {
      this.underway.delete(sending);
      if (!unasked) this.learn(narrow ? null : outcome.failure);
      this.events.changed();
      return outcome;
    });
  }

  private async attempt(message: Outgoing): Promise<Reading & { unasked?: boolean }> {
    const began = performance.now();
    const { signal } = this.abort;
    try {
      const call = await this.prepare(message);
      const { status, body } = await callHttp(call, {
        timeout_ms: this.options.timeout_ms,
        keeper: this.keeper,
        signal,
      });
      const outcome = this.options.read(status, body.toString('utf8'), message);
      return { ...outcome, detail: { ms: Math.round(performance.now() - began), http: status, ...outcome.detail } };
    } catch (error) {
      const ms = Math.round(performance.now() - began);
      const unasked = error instanceof NotSent && error.narrow;
      return { parts: 1, accepted: [], failure: failureOf(error), detail: { ms }, unasked };
    }
  }

  /** Whatever fails here, the message itself has not left. */
  private async prepare(message: Outgoing): Promise<HttpCall> {
    try {
      return await this.options.request(message, this.keeper, this.abort.signal);
    } catch (error) {
      if (error instanceof NotSent) throw error;
      const { message: text } = error as Error;
      const unreached = error instanceof CallFailed && !error.sent;
      if (unreached) throw new NotSent({ kind: 'connection', code: '', text });
      const away = error instanceof CallFailed || (error as { code?: unknown }).code !== undefined;
      // Of its file, ours or somebody else's: it may never come right, and says nothing of the carrier.
      const narrow = !(error instanceof CallFailed);
      throw new NotSent(
        { kind: away ? 'connection' : 'invalid', code: '', text, ...(away ? { limited: true } : {}) },
        { narrow },
      );
    }
  }

  private learn(failure: SendFailure | null): void {
    if (failure?.kind === 'connection' && !failure.limited) this.pause('waiting', failure);
    else if (failure?.kind === 'throttled') this.pause('throttled', failure);
    else if (failure?.kind === 'unknown' || failure?.kind === 'connection') {
      if (this.probing || ++this.misses >= MISSES_MOST) this.pause('waiting', failure);
    } else if (this.state === 'bound') {
      this.pauses = 0;
      this.misses = 0;
      this.probing = false;
      this.detail = '';
    }
  }

  private pause(state: 'waiting' | 'throttled', { text, internal = text }: SendFailure): void {
    if (this.state !== 'bound') return;
    const ms = Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** Math.min(this.pauses++, 10));
    this.misses = 0;
    this.state = state;
    this.detail = internal;
    // A carrier that asks for less is there; one that cannot be reached is not.
    if (state === 'waiting') this.session = null;
    this.resuming = setTimeout(
      () => {
        this.state = 'bound';
        this.session ??= randomUUID();
        this.probing = true;
        this.events.changed();
      },
      ms * (0.5 + Math.random() / 2),
    ).unref();
  }

  async close(drain_ms: number): Promise<void> {
    clearTimeout(this.resuming);
    this.state = 'stopped';
    this.session = null;
    const patience = setTimeout(() => this.abort.abort(), drain_ms);
    await Promise.all(this.underway);
    clearTimeout(patience);
    this.keeper.destroy();
  }
}

function failureOf(error: unknown): SendFailure {
  if (error instanceof NotSent) return error.failure;
  const { message: text } = error as Error;
  if (error instanceof CallFailed) return { kind: error.sent ? 'unknown' : 'connection', code: '', text };
  // The carrier has answered, and we could not read it: it may have the message.
  return { kind: 'unknown', code: '', text: `The answer could not be read: ${text}` };
}
