/**
 * A bind to a carrier over HTTP. It never has more unanswered messages than its window allows, and never exceeds its
 * throughput. A message that failed before it was sent has certainly not reached the carrier; a message whose request
 * was cut off or timed out may have. After a carrier failure or throttling, the bind pauses for an increasing time, and
 * then tries one message.
 */
import { randomUUID } from 'node:crypto';
import type { Bind, BindEvents, BindState, Outcome, Outgoing, SendFailure } from './channel.ts';
import { CallFailed, callHttp, type HttpCall, type HttpResponse, type Keeper, keepConnections } from './http_call.ts';
import { showRequest, showResponse } from './http_exchange.ts';
import { missingPayload, receivedPayload, sentPayload } from './wire_payload.ts';

export interface HttpBindOptions {
  /** The maximum number of unanswered messages. */
  window: number;
  /** Messages per second. Null means no limit. */
  throughput: number | null;
  timeout_ms: number;
  /**
   * Builds the request. It can make another call to the carrier first (with `keeper`), before any part of the message
   * is sent. Throws `NotSent`, or the error from that call.
   */
  request(message: Outgoing, keeper: Keeper, signal: AbortSignal): HttpCall | Promise<HttpCall>;
  /** Reads the response. */
  read(status: number, body: string, message: Outgoing): Reading;
  /** The texts to mask in requests and responses. Without them, nothing is observed or recorded. */
  secrets?: readonly string[];
}

export interface Reading extends Outcome {
  /**
   * True for a failure that may affect only this recipient or sender. The bind does not pause, and a failure that
   * pauses the connection does so only after several in a row.
   */
  narrow?: boolean;
}

/** Thrown when the message was not sent. Contains the reason. */
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

/** The share of one second's throughput that can be sent at once. */
const AHEAD = 0.1;
const PAUSE_MS = { first: 500, max: 30_000 };
/** A longer wait is shortened, because the limit may have been raised in the meantime. */
const MAX_RETRY_AFTER_MS = 300_000;
/** The bind pauses after this many unknown or temporarily refused messages in a row. */
const MAX_MISSES = 3;

export const openHttpBind = (options: HttpBindOptions, events: BindEvents): Bind => new HttpBind(options, events);

class HttpBind implements Bind {
  readonly window: number;
  readonly burst: number;
  readonly throughput: number | null;
  state: BindState = 'bound';
  detail = '';
  session: string | null = randomUUID();
  private readonly options: HttpBindOptions;
  private readonly events: BindEvents;
  private readonly keeper: Keeper;
  private readonly abort = new AbortController();
  private readonly underway = new Set<Promise<unknown>>();
  private allowance: number;
  private counted_at = performance.now();
  private pauses = 0;
  /** The time that the carrier asked us to wait after its last refusal. */
  private wait_ms = 0;
  private resuming: NodeJS.Timeout | undefined;
  private misses = 0;
  /** Narrow failures in a row that would pause the connection. */
  private faults = 0;
  /** True after a pause, until one message succeeds. */
  private probing = false;

  constructor(options: HttpBindOptions, events: BindEvents) {
    const { window, throughput } = options;
    this.options = options;
    this.events = events;
    this.window = window;
    this.throughput = throughput;
    this.burst = throughput === null ? window : Math.min(window, Math.max(1, Math.ceil(throughput * AHEAD)));
    this.allowance = this.burst;
    // A message may need a second request, for its file.
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
    return sending.then(({ narrow, without_call, ...outcome }) => {
      this.underway.delete(sending);
      if (!without_call) this.adjust(narrow ? null : outcome.failure);
      this.events.changed();
      const { failure } = outcome;
      if (!failure) this.faults = 0;
      else if (narrow && failure.kind === 'throttled') return { ...outcome, failure: { ...failure, narrow: true } };
      const isDoubtful = failure?.pauses === true && narrow === true && ++this.faults < MAX_MISSES;
      return isDoubtful ? { ...outcome, failure: { ...failure, pauses: false } } : outcome;
    });
  }

  private async attempt(message: Outgoing): Promise<Reading & { without_call?: boolean }> {
    const began = performance.now();
    try {
      const call = await this.prepare(message);
      const response = this.call(call, message);
      const { status, headers, body } = message.recorder ? await this.record(response, call, message) : await response;
      const outcome = this.options.read(status, body.toString('utf8'), message);
      this.wait_ms = outcome.failure ? readRetryAfter(headers['retry-after']) : 0;
      return { ...outcome, detail: { ms: Math.round(performance.now() - began), http: status, ...outcome.detail } };
    } catch (error) {
      const ms = Math.round(performance.now() - began);
      const without_call = error instanceof NotSent && error.narrow;
      return { parts: 1, accepted: [], failure: toFailure(error), detail: { ms }, without_call };
    }
  }

  /** The same call for all messages. An observed one also reaches only permitted addresses, and is recorded. */
  private async call(call: HttpCall, { observer }: Outgoing): Promise<HttpResponse> {
    const { timeout_ms, secrets } = this.options;
    const options = { timeout_ms, keeper: this.keeper, signal: this.abort.signal };
    if (!observer || !secrets) return callHttp(call, options);
    const lookup = await observer.pin(call.url).catch((error: Error) => {
      throw new NotSent({ kind: 'config', code: '', text: `Not sent: ${error.message}` }, { narrow: true });
    });
    const began = performance.now();
    const record = (response: HttpResponse | null) =>
      observer.record({
        request: showRequest(call, secrets),
        response: response && showResponse(response, secrets),
        ms: Math.round(performance.now() - began),
      });
    const response = await callHttp(call, { ...options, lookup }).catch((error: Error) => {
      record(null);
      throw error;
    });
    record(response);
    return response;
  }

  /** Records the request, as it would be without codes, and the response. A failed recording changes nothing. */
  private async record(
    response: Promise<HttpResponse>,
    call: HttpCall,
    { recorder, ...message }: Outgoing,
  ): Promise<HttpResponse> {
    const { request, secrets } = this.options;
    if (!recorder || !secrets) return response;
    const settled = Promise.allSettled([response]);
    try {
      const { text, content } = recorder.masked;
      const isMasked = text !== message.text || content !== message.content;
      const shown = isMasked ? await request({ ...message, text, content }, this.keeper, this.abort.signal) : call;
      recorder.record(sentPayload(showRequest(shown, secrets)));
    } catch {
      // The request cannot be built without the code, so it is not shown.
    }
    const [result] = await settled;
    if (result.status === 'rejected') {
      recorder.record(missingPayload((result.reason as Error).message));
      throw result.reason;
    }
    recorder.record(receivedPayload(showResponse(result.value, secrets)));
    return result.value;
  }

  /** Builds the request. If this fails, the message has certainly not been sent. */
  private async prepare(message: Outgoing): Promise<HttpCall> {
    try {
      return await this.options.request(message, this.keeper, this.abort.signal);
    } catch (error) {
      if (error instanceof NotSent) throw error;
      const { message: text } = error as Error;
      const unreached = error instanceof CallFailed && !error.sent;
      if (unreached) throw new NotSent({ kind: 'connection', code: '', text });
      const away = error instanceof CallFailed || (error as { code?: unknown }).code !== undefined;
      // The error concerns the file, not the carrier, and can be permanent.
      const narrow = !(error instanceof CallFailed);
      throw new NotSent(
        { kind: away ? 'connection' : 'invalid', code: '', text, ...(away ? { limited: true } : {}) },
        { narrow },
      );
    }
  }

  private adjust(failure: SendFailure | null): void {
    if (failure?.kind === 'connection' && !failure.limited) this.pause('waiting', failure);
    else if (failure?.kind === 'throttled') this.pause('throttled', failure);
    else if (failure?.kind === 'unknown' || failure?.kind === 'connection') {
      if (this.probing || ++this.misses >= MAX_MISSES) this.pause('waiting', failure);
    } else if (this.state === 'bound') {
      this.pauses = 0;
      this.misses = 0;
      this.probing = false;
      this.detail = '';
    }
  }

  private pause(state: 'waiting' | 'throttled', { text, internal = text }: SendFailure): void {
    if (this.state !== 'bound') return;
    const usual_ms = Math.min(PAUSE_MS.max, PAUSE_MS.first * 2 ** Math.min(this.pauses++, 10));
    const ms = this.wait_ms > 0 ? this.wait_ms : usual_ms * (0.5 + Math.random() / 2);
    this.wait_ms = 0;
    this.misses = 0;
    this.state = state;
    this.detail = internal;
    // A throttling carrier is reachable, so the session continues.
    if (state === 'waiting') this.session = null;
    this.resuming = setTimeout(() => {
      this.state = 'bound';
      this.session ??= randomUUID();
      this.probing = true;
      this.events.changed();
    }, ms).unref();
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

/** Reads the header `Retry-After`, which contains seconds or a date. Returns 0 if there is none. */
function readRetryAfter(text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
}

function toFailure(error: unknown): SendFailure {
  if (error instanceof NotSent) return error.failure;
  const { message: text } = error as Error;
  if (error instanceof CallFailed) return { kind: error.sent ? 'unknown' : 'connection', code: '', text };
  // The response could not be read, so the carrier may have the message.
  return { kind: 'unknown', code: '', text: `The response could not be read: ${text}` };
}
