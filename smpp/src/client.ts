/**
 * An SMPP client (ESME) that keeps one bind open and submits messages within the bind's window and rate limit. Each
 * submit settles exactly once. If it rejects, `SessionError.sent` states whether the carrier may have the message. The
 * client never resends; that is up to the caller.
 */

import type { ClientOptions, ClientState } from './options.ts';
import { type Pdu, type PduDraft, type PduFields, STATUS, statusName } from './pdu.ts';
import { type CloseReason, Session } from './session.ts';
import { Backoff, sleep } from './transport/backoff.ts';
import { openSocket } from './transport/connect.ts';
import { SessionError } from './transport/pending.ts';
import { Window } from './transport/window.ts';

export type { BindType, ClientOptions, ClientState } from './options.ts';
export { SessionError } from './transport/pending.ts';

export type SubmitDraft = PduFields & { command?: 'submit_sm' | 'submit_multi' | 'data_sm' };
type AnyRequest = PduFields & { command: 'query_sm' | 'cancel_sm' | 'replace_sm' };

/** Bind errors that a quick retry cannot fix, because someone must correct the settings first. */
const SETTINGS_ERRORS: ReadonlySet<number> = new Set([
  STATUS.ESME_RINVPASWD,
  STATUS.ESME_RINVSYSID,
  STATUS.ESME_RINVSYSTYP,
  STATUS.ESME_RINVCMDID,
]);

/** If a bind lasted this long, the next reconnect starts with the shortest delay. */
const STABLE_MS = 5_000;

export class SmppClient {
  /** Receives deliver_sm and data_sm. The carrier gets ESME_ROK only once the promise resolves. */
  onDeliver: ((pdu: Pdu) => Promise<void> | void) | undefined;
  onState: ((state: ClientState, detail: string) => void) | undefined;
  onLateResponse: ((response: Pdu, request: PduDraft) => void) | undefined;
  readonly options: ClientOptions;
  private currentState: ClientState = 'stopped';
  private stateDetail = '';
  private session: Session | null = null;
  private window: Window | null = null;
  private delivering = 0;
  private readonly throttling: Backoff;
  private throttleTimer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private stopping = false;
  private stopSignal = new AbortController();

  constructor(options: ClientOptions) {
    this.options = options;
    this.throttling = new Backoff(options.throttle ?? { min_ms: 250, max_ms: 10_000 }, options.random);
    this.onDeliver = options.onDeliver;
    this.onState = options.onState;
    this.onLateResponse = options.onLateResponse;
  }

  get state(): ClientState {
    return this.currentState;
  }

  /** A readable reason for the current state. */
  get detail(): string {
    return this.stateDetail;
  }

  get in_flight(): number {
    return this.window?.in_flight ?? 0;
  }

  /** The number of submits that would start without queueing; 0 while unbound, throttled, or stopping. */
  get free(): number {
    return this.options.bind === 'receiver' ? 0 : (this.window?.free ?? 0);
  }

  start(): void {
    if (this.running) return;
    this.stopping = false;
    this.stopSignal = new AbortController();
    this.running = this.runLoop(this.stopSignal.signal).finally(() => {
      this.running = null;
    });
  }

  /**
   * Waits up to `drain_ms` for open requests, then unbinds and closes the connection. New submits are rejected
   * immediately.
   */
  async stop(drain_ms = 5_000): Promise<void> {
    const running = this.running;
    if (!running) return;
    if (!this.stopping) {
      this.stopping = true;
      this.window?.close('Stopping');
      const deadline = performance.now() + drain_ms;
      const session = this.session;
      const isBusy = () => session?.open && (this.in_flight > 0 || this.delivering > 0);
      while (isBusy() && performance.now() < deadline) await sleep(5);
      await session?.unbind();
      this.stopSignal.abort();
    }
    await running;
  }

  /**
   * Waits for a free slot in the window and for the rate limit. Resolves with the response, regardless of its status.
   * Rejects with a SessionError.
   */
  submit(draft: SubmitDraft): Promise<Pdu> {
    if (this.options.bind === 'receiver') return Promise.reject(new TypeError('A receiver cannot submit'));
    return this.send({ ...draft, command: draft.command ?? 'submit_sm' });
  }

  /** Sends query_sm, cancel_sm, or replace_sm within the same window. */
  request(draft: AnyRequest): Promise<Pdu> {
    return this.send(draft);
  }

  private send(draft: PduDraft): Promise<Pdu> {
    const session = this.session;
    const window = this.window;
    if (!session || !window) return Promise.reject(new SessionError('closed', `Not bound: ${this.stateDetail}`, false));
    return window.run(() =>
      session.request(draft).then((response) => {
        this.adjustThrottling(response.command_status);
        return response;
      }),
    );
  }

  private async runLoop(signal: AbortSignal): Promise<void> {
    const delays = new Backoff(this.options.reconnect ?? { min_ms: 500, max_ms: 30_000 }, this.options.random);
    while (!this.stopping) {
      const startedAt = performance.now();
      const end = await this.connectOnce(signal);
      if (this.stopping) break;
      if (end.bound && performance.now() - startedAt >= STABLE_MS) delays.reset();
      const delay = end.rejected ? delays.slow() : delays.full();
      this.setState('waiting', `${end.text}; next attempt in ${delay} ms`);
      await sleep(delay, signal);
    }
    this.setState('stopped', 'Stopped');
  }

  /** Runs one connection from dialing until it ends. Returns how it ended. */
  private async connectOnce(signal: AbortSignal): Promise<{ text: string; bound: boolean; rejected: boolean }> {
    const { host, port } = this.options;
    const timeout_ms = this.options.connect_timeout_ms ?? 10_000;
    this.setState('connecting', `${host}:${port}`);
    const ended = Promise.withResolvers<CloseReason>();
    let session: Session;
    try {
      const socket = await openSocket(this.options, timeout_ms, signal);
      session = this.createSession(socket, (reason) => ended.resolve(reason));
    } catch (error) {
      return { text: (error as Error).message, bound: false, rejected: false };
    }
    const disconnect = () => session.destroy();
    signal.addEventListener('abort', disconnect);
    try {
      const response = await session.request(this.buildBind(), { timeout_ms });
      if (response.command_status !== 0) {
        session.close();
        const rejected = SETTINGS_ERRORS.has(response.command_status);
        return { text: `Bind rejected: ${statusName(response.command_status)}`, bound: false, rejected };
      }
    } catch (error) {
      session.destroy();
      return { text: `Bind failed: ${(error as Error).message}`, bound: false, rejected: false };
    } finally {
      signal.removeEventListener('abort', disconnect);
    }
    this.session = session;
    this.window = new Window(this.options.window ?? 10, this.options.throughput);
    this.throttling.reset();
    this.setState('bound', `${this.options.bind ?? 'transceiver'} as ${this.options.system_id}`);
    signal.addEventListener('abort', disconnect);
    const reason = await ended.promise;
    signal.removeEventListener('abort', disconnect);
    return { text: reason.text, bound: true, rejected: false };
  }

  private createSession(socket: Session['socket'], onClose: (reason: CloseReason) => void): Session {
    const { response_timeout_ms, enquire_link_ms, enquire_link_timeout_ms } = this.options;
    const session: Session = new Session(socket, {
      ...(response_timeout_ms !== undefined && { response_timeout_ms }),
      ...(enquire_link_ms !== undefined && { enquire_link_ms }),
      ...(enquire_link_timeout_ms !== undefined && { enquire_link_timeout_ms }),
      onRequest: (pdu) => this.handleDelivery(session, pdu),
      onLateResponse: (response, request) => this.onLateResponse?.(response, request),
      onClose: (reason) => {
        if (this.session === session) {
          clearTimeout(this.throttleTimer);
          this.window?.close(reason.text);
          this.session = null;
          this.window = null;
        }
        onClose(reason);
      },
    });
    return session;
  }

  private buildBind(): PduDraft {
    const { system_id, password, addr_ton, addr_npi, address_range } = this.options;
    return {
      command: `bind_${this.options.bind ?? 'transceiver'}`,
      system_id,
      password,
      system_type: this.options.system_type ?? '',
      interface_version: this.options.interface_version ?? 0x34,
      addr_ton: addr_ton ?? 0,
      addr_npi: addr_npi ?? 0,
      address_range: address_range ?? '',
    };
  }

  private async handleDelivery(session: Session, pdu: Pdu): Promise<void> {
    if (pdu.command === 'outbind' || pdu.command === 'alert_notification') return;
    if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') {
      session.respond(pdu, { command_status: STATUS.ESME_RINVCMDID });
      return;
    }
    if (this.delivering >= (this.options.deliver_window ?? 1_000)) {
      session.respond(pdu, { command_status: STATUS.ESME_RMSGQFUL });
      return;
    }
    this.delivering++;
    let command_status: number = STATUS.ESME_RX_T_APPN;
    try {
      if (this.onDeliver) {
        await this.onDeliver(pdu);
        command_status = STATUS.ESME_ROK;
      }
    } catch {
      // The initial value of command_status tells the carrier to retry the delivery.
    }
    this.delivering--;
    session.respond(pdu, { command_status });
  }

  /**
   * Only the first throttling response lengthens the pause. Later ones respond to requests that were sent before the
   * first one arrived.
   */
  private adjustThrottling(status: number): void {
    const isThrottled = status === STATUS.ESME_RTHROTTLED || status === STATUS.ESME_RMSGQFUL;
    if (!isThrottled) {
      if (this.currentState === 'bound') this.throttling.reset();
      return;
    }
    const window = this.window;
    if (this.currentState !== 'bound' || !window) return;
    const pause = this.throttling.half();
    window.pause();
    this.setState('throttled', `${statusName(status)}; next submit in ${pause} ms`);
    this.throttleTimer = setTimeout(() => {
      if (this.window !== window) return;
      this.setState('bound', `${this.options.bind ?? 'transceiver'} as ${this.options.system_id}`);
      window.resume();
    }, pause);
  }

  private setState(state: ClientState, detail: string): void {
    this.currentState = state;
    this.stateDetail = detail;
    this.onState?.(state, detail);
  }
}
