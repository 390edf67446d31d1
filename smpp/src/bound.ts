// The server's side of one bind: what the client may ask of it, and deliveries toward the client within a window.
// Every request gets an answer, also when the application fails; only an explicit null stays silent.

import type { BindType } from './options.ts';
import { type Command, type Pdu, type PduDraft, type PduFields, STATUS } from './pdu.ts';
import type { CloseReason, Session } from './session.ts';
import { Window } from './window.ts';

/** Fields of the response; null answers nothing at all (to play a carrier whose answer got lost). */
export type Answer = (PduFields & { command_status?: number }) | null;
export type DeliverDraft = PduFields & { command?: 'deliver_sm' | 'data_sm' };

/** What an operation the application does not offer is answered with. */
const UNSUPPORTED: Partial<Record<Command, number>> = {
  query_sm: STATUS.ESME_RQUERYFAIL,
  cancel_sm: STATUS.ESME_RCANCELFAIL,
  replace_sm: STATUS.ESME_RREPLACEFAIL,
  submit_sm: STATUS.ESME_RSUBMITFAIL,
  submit_multi: STATUS.ESME_RSUBMITFAIL,
  data_sm: STATUS.ESME_RSUBMITFAIL,
};
const SUBMITS: ReadonlySet<Command> = new Set(['submit_sm', 'submit_multi', 'data_sm']);
const BINDS: ReadonlySet<Command> = new Set(['bind_transceiver', 'bind_transmitter', 'bind_receiver']);

export class BoundSession {
  readonly bind: BindType;
  readonly system_id: string;
  readonly bind_pdu: Pdu;
  readonly remote: string;
  readonly bound_at = new Date();
  /** submit_sm, submit_multi and data_sm. */
  onSubmit: ((pdu: Pdu) => Answer | Promise<Answer>) | undefined;
  /** query_sm, cancel_sm and replace_sm; without it they are refused. */
  onRequest: ((pdu: Pdu) => Answer | Promise<Answer>) | undefined;
  onClose: ((reason: CloseReason) => void) | undefined;
  #session: Session;
  #window: Window;

  constructor(session: Session, bind: Pdu, window: number) {
    this.#session = session;
    this.#window = new Window(window);
    this.bind_pdu = bind;
    this.bind = bind.command.slice('bind_'.length) as BindType;
    this.system_id = bind.system_id ?? '';
    this.remote = session.remote;
  }

  get open(): boolean {
    return this.#session.open;
  }

  /** Deliveries under way. */
  get in_flight(): number {
    return this.#window.in_flight;
  }

  /** Deliveries that would start without queueing. */
  get free(): number {
    return this.bind === 'transmitter' || !this.open ? 0 : this.#window.free;
  }

  /** Sends deliver_sm (or data_sm) and resolves with its response; rejects with SessionError when the bind is lost. */
  deliver(draft: DeliverDraft): Promise<Pdu> {
    if (this.bind === 'transmitter') return Promise.reject(new TypeError('A transmitter takes no deliveries'));
    return this.#window.run(() => this.#session.request({ ...draft, command: draft.command ?? 'deliver_sm' }));
  }

  /** Sends a PDU that takes no answer. */
  notify(draft: PduDraft): boolean {
    return this.#session.notify(draft);
  }

  /** Asks the client to end, then closes. */
  unbind(timeout_ms?: number): Promise<void> {
    return this.#session.unbind(timeout_ms);
  }

  /** Cuts the line without a word. */
  destroy(): void {
    this.#session.destroy();
  }

  /** For the server: a request of the client. */
  async receive(pdu: Pdu): Promise<void> {
    if (pdu.command === 'outbind' || pdu.command === 'alert_notification') return;
    const answer = await this.#answer(pdu);
    if (!answer) return;
    try {
      this.#session.respond(pdu, answer);
    } catch {
      this.#session.respond(pdu, { command_status: STATUS.ESME_RSYSERR });
    }
  }

  /** For the server: the connection is gone. */
  closed(reason: CloseReason): void {
    this.#window.close(reason.text);
    this.onClose?.(reason);
  }

  async #answer(pdu: Pdu): Promise<Answer> {
    if (BINDS.has(pdu.command)) return { command_status: STATUS.ESME_RALYBND };
    if (this.bind === 'receiver') return { command_status: STATUS.ESME_RINVBNDSTS };
    const ask = SUBMITS.has(pdu.command) ? this.onSubmit : this.onRequest;
    const unsupported = UNSUPPORTED[pdu.command];
    if (unsupported === undefined) return { command_status: STATUS.ESME_RINVCMDID };
    if (!ask) return { command_status: unsupported };
    try {
      return await ask(pdu);
    } catch {
      return { command_status: STATUS.ESME_RSYSERR };
    }
  }
}
