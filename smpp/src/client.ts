// An ESME: keeps one bind up for ever and submits through it, never beyond its window or rate. A submit settles exactly once;
// when it rejects, SessionError.sent says whether the carrier may have it. It never resends: that is the caller's decision.

import { Backoff, sleep } from './backoff.ts';
import { openSocket } from './connect.ts';
import type { ClientOptions, ClientState } from './options.ts';
import { type Pdu, type PduDraft, type PduFields, STATUS, statusName } from './pdu.ts';
import { SessionError } from './pending.ts';
import { type CloseReason, Session } from './session.ts';
import { Window } from './window.ts';

export type { BindType, ClientOptions, ClientState } from './options.ts';
export { SessionError } from './pending.ts';

export type SubmitDraft = PduFields & { command?: 'submit_sm' | 'submit_multi' | 'data_sm' };
export type AnyRequest = PduFields & { command: 'query_sm' | 'cancel_sm' | 'replace_sm' };

/** Retrying these soon cannot help: somebody must correct the settings first. */
const REFUSED: ReadonlySet<number> = new Set([
  STATUS.ESME_RINVPASWD,
  STATUS.ESME_RINVSYSID,
  STATUS.ESME_RINVSYSTYP,
  STATUS.ESME_RINVCMDID,
]);

/** A bind that lived this long was a good one: the next loss starts from the shortest delay again. */
const STEADY_MS = 5_000;

export class SmppClient {
  /** Called for deliver_sm and data_sm. The carrier is told ESME_ROK only when the promise resolves. */
  onDeliver: ((pdu: Pdu) => Promise<void> | void) | undefined;
  onState: ((state: ClientState, detail: string) => void) | undefined;
  onLateResponse: ((response: Pdu, request: PduDraft) => void) | undefined;
  readonly options: ClientOptions;
  #state: ClientState = 'stopped';
  #detail = '';
  #session: Session | null = null;
  #window: Window | null = null;
  #delivering = 0;
  #throttling: Backoff;
  #throttleTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #stopping = false;
  #stop = new AbortController();

  constructor(options: ClientOptions) {
    this.options = options;
    this.#throttling = new Backoff(options.throttle ?? { min_ms: 250, max_ms: 10_000 }, options.random);
    this.onDeliver = options.onDeliver;
    this.onState = options.onState;
    this.onLateResponse = options.onLateResponse;
  }

  get state(): ClientState {
    return this.#state;
  }

  /** Why it is in this state, in words. */
  get detail(): string {
    return this.#detail;
  }

  get in_flight(): number {
    return this.#window?.in_flight ?? 0;
  }

  /** Submits that would start without queueing; 0 while not bound, throttled or stopping. */
  get free(): number {
    return this.options.bind === 'receiver' ? 0 : (this.#window?.free ?? 0);
  }

  start(): void {
    if (this.#running) return;
    this.#stopping = false;
    this.#stop = new AbortController();
    this.#running = this.#run(this.#stop.signal).finally(() => {
      this.#running = null;
    });
  }

  /** Lets what is under way finish for up to `drain_ms`, unbinds and closes. New submits are refused at once. */
  async stop(drain_ms = 5_000): Promise<void> {
    const running = this.#running;
    if (!running) return;
    if (!this.#stopping) {
      this.#stopping = true;
      this.#window?.close('Stopping');
      const until = performance.now() + drain_ms;
      const session = this.#session;
      while (session?.open && (this.in_flight > 0 || this.#delivering > 0) && performance.now() < until) await sleep(5);
      await session?.unbind();
      this.#stop.abort();
    }
    await running;
  }

  /** Waits for a slot and for the rate. Resolves with the response whatever its status; rejects with SessionError. */
  submit(draft: SubmitDraft): Promise<Pdu> {
    if (this.options.bind === 'receiver') return Promise.reject(new TypeError('A receiver cannot submit'));
    return this.#through({ ...draft, command: draft.command ?? 'submit_sm' });
  }

  /** query_sm, cancel_sm and replace_sm, in the same window. */
  request(draft: AnyRequest): Promise<Pdu> {
    return this.#through(draft);
  }

  #through(draft: PduDraft): Promise<Pdu> {
    const session = this.#session;
    const window = this.#window;
    if (!session || !window) return Promise.reject(new SessionError('closed', `Not bound: ${this.#detail}`, false));
    return window.run(() =>
      session.request(draft).then((response) => {
        this.#noteThrottling(response.command_status);
        return response;
      }),
    );
  }

  async #run(signal: AbortSignal): Promise<void> {
    const delays = new Backoff(this.options.reconnect ?? { min_ms: 500, max_ms: 30_000 }, this.options.random);
    while (!this.#stopping) {
      const began = performance.now();
      const end = await this.#once(signal);
      if (this.#stopping) break;
      if (end.bound && performance.now() - began >= STEADY_MS) delays.reset();
      const delay = end.refused ? delays.slow() : delays.full();
      this.#set('waiting', `${end.text}; next attempt in ${delay} ms`);
      await sleep(delay, signal);
    }
    this.#set('stopped', 'Stopped');
  }

  /** One connection from dialling to its end; says how it ended. */
  async #once(signal: AbortSignal): Promise<{ text: string; bound: boolean; refused: boolean }> {
    const { host, port } = this.options;
    const timeout_ms = this.options.connect_timeout_ms ?? 10_000;
    this.#set('connecting', `${host}:${port}`);
    const ended = Promise.withResolvers<CloseReason>();
    let session: Session;
    try {
      const socket = await openSocket(this.options, timeout_ms, signal);
      session = this.#converse(socket, (reason) => ended.resolve(reason));
    } catch (error) {
      return { text: (error as Error).message, bound: false, refused: false };
    }
    const cut = () => session.destroy();
    signal.addEventListener('abort', cut);
    try {
      const response = await session.request(this.#bindPdu(), { timeout_ms });
      if (response.command_status !== 0) {
        session.close();
        const refused = REFUSED.has(response.command_status);
        return { text: `Bind refused: ${statusName(response.command_status)}`, bound: false, refused };
      }
    } catch (error) {
      session.destroy();
      return { text: `Bind failed: ${(error as Error).message}`, bound: false, refused: false };
    } finally {
      signal.removeEventListener('abort', cut);
    }
    this.#session = session;
    this.#window = new Window(this.options.window ?? 10, this.options.throughput);
    this.#throttling.reset();
    this.#set('bound', `${this.options.bind ?? 'transceiver'} as ${this.options.system_id}`);
    signal.addEventListener('abort', cut);
    const reason = await ended.promise;
    signal.removeEventListener('abort', cut);
    return { text: reason.text, bound: true, refused: false };
  }

  #converse(socket: Session['socket'], onClose: (reason: CloseReason) => void): Session {
    const { response_timeout_ms, enquire_link_ms, enquire_link_timeout_ms } = this.options;
    const session: Session = new Session(socket, {
      ...(response_timeout_ms !== undefined && { response_timeout_ms }),
      ...(enquire_link_ms !== undefined && { enquire_link_ms }),
      ...(enquire_link_timeout_ms !== undefined && { enquire_link_timeout_ms }),
      onRequest: (pdu) => this.#incoming(session, pdu),
      onLateResponse: (response, request) => this.onLateResponse?.(response, request),
      onClose: (reason) => {
        if (this.#session === session) {
          clearTimeout(this.#throttleTimer);
          this.#window?.close(reason.text);
          this.#session = null;
          this.#window = null;
        }
        onClose(reason);
      },
    });
    return session;
  }

  #bindPdu(): PduDraft {
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

  async #incoming(session: Session, pdu: Pdu): Promise<void> {
    if (pdu.command === 'outbind' || pdu.command === 'alert_notification') return;
    if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') {
      session.respond(pdu, { command_status: STATUS.ESME_RINVCMDID });
      return;
    }
    if (this.#delivering >= (this.options.deliver_window ?? 1_000)) {
      session.respond(pdu, { command_status: STATUS.ESME_RMSGQFUL });
      return;
    }
    this.#delivering++;
    let command_status: number = STATUS.ESME_RX_T_APPN;
    try {
      if (this.onDeliver) {
        await this.onDeliver(pdu);
        command_status = STATUS.ESME_ROK;
      }
    } catch {
      // Not taken in: the status above asks the carrier to offer it again.
    }
    this.#delivering--;
    session.respond(pdu, { command_status });
  }

  /** Answers to what was sent before a pause say nothing new, so only the first lengthens it. */
  #noteThrottling(status: number): void {
    const full = status === STATUS.ESME_RTHROTTLED || status === STATUS.ESME_RMSGQFUL;
    if (!full) {
      if (this.#state === 'bound') this.#throttling.reset();
      return;
    }
    const window = this.#window;
    if (this.#state !== 'bound' || !window) return;
    const pause = this.#throttling.half();
    window.pause();
    this.#set('throttled', `${statusName(status)}; next submit in ${pause} ms`);
    this.#throttleTimer = setTimeout(() => {
      if (this.#window !== window) return;
      this.#set('bound', `${this.options.bind ?? 'transceiver'} as ${this.options.system_id}`);
      window.resume();
    }, pause);
  }

  #set(state: ClientState, detail: string): void {
    this.#state = state;
    this.#detail = detail;
    this.onState?.(state, detail);
  }
}
