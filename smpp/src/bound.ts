/**
 * The server side of one bind: handles the client's requests and sends deliveries within a window. Every request gets a
 * response, even if the application fails. Only an explicit null from the application suppresses the response.
 */

import type { BindType } from './options.ts';
import { type Command, type Pdu, type PduDraft, type PduFields, STATUS } from './pdu.ts';
import type { CloseReason, Session } from './session.ts';
import { Window } from './transport/window.ts';

/** The fields of the response. If null, no response is sent, which simulates a lost response. */
export type ResponseFields = (PduFields & { command_status?: number }) | null;
export type DeliverDraft = PduFields & { command?: 'deliver_sm' | 'data_sm' };

/** The status for operations that the application does not implement. */
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
  /** Handles submit_sm, submit_multi, and data_sm. */
  onSubmit: ((pdu: Pdu) => ResponseFields | Promise<ResponseFields>) | undefined;
  /** Handles query_sm, cancel_sm, and replace_sm. Without this handler, they are rejected. */
  onRequest: ((pdu: Pdu) => ResponseFields | Promise<ResponseFields>) | undefined;
  onClose: ((reason: CloseReason) => void) | undefined;
  private readonly session: Session;
  private readonly window: Window;

  constructor(session: Session, bind: Pdu, window: number) {
    this.session = session;
    this.window = new Window(window);
    this.bind_pdu = bind;
    this.bind = bind.command.slice('bind_'.length) as BindType;
    this.system_id = bind.system_id ?? '';
    this.remote = session.remote;
  }

  get open(): boolean {
    return this.session.open;
  }

  /** The number of deliveries waiting for a response. */
  get in_flight(): number {
    return this.window.in_flight;
  }

  /** The number of deliveries that would start without queueing. */
  get free(): number {
    return this.bind === 'transmitter' || !this.open ? 0 : this.window.free;
  }

  /** Sends deliver_sm (or data_sm) and resolves with its response. Rejects with a SessionError if the bind is lost. */
  deliver(draft: DeliverDraft): Promise<Pdu> {
    if (this.bind === 'transmitter') return Promise.reject(new TypeError('A transmitter cannot receive deliveries'));
    return this.window.run(() => this.session.request({ ...draft, command: draft.command ?? 'deliver_sm' }));
  }

  /** Sends a PDU that gets no response. */
  notify(draft: PduDraft): boolean {
    return this.session.notify(draft);
  }

  /** Sends unbind, then closes the connection. */
  unbind(timeout_ms?: number): Promise<void> {
    return this.session.unbind(timeout_ms);
  }

  /** Closes the connection without unbinding. */
  destroy(): void {
    this.session.destroy();
  }

  /** Handles a request from the client. Called by the server. */
  async receive(pdu: Pdu): Promise<void> {
    if (pdu.command === 'outbind' || pdu.command === 'alert_notification') return;
    const response = await this.handleRequest(pdu);
    if (!response) return;
    try {
      this.session.respond(pdu, response);
    } catch {
      this.session.respond(pdu, { command_status: STATUS.ESME_RSYSERR });
    }
  }

  /** Ends the bind after the connection has closed. Called by the server. */
  closed(reason: CloseReason): void {
    this.window.close(reason.text);
    this.onClose?.(reason);
  }

  private async handleRequest(pdu: Pdu): Promise<ResponseFields> {
    if (BINDS.has(pdu.command)) return { command_status: STATUS.ESME_RALYBND };
    if (this.bind === 'receiver') return { command_status: STATUS.ESME_RINVBNDSTS };
    const handle = SUBMITS.has(pdu.command) ? this.onSubmit : this.onRequest;
    const unsupported = UNSUPPORTED[pdu.command];
    if (unsupported === undefined) return { command_status: STATUS.ESME_RINVCMDID };
    if (!handle) return { command_status: unsupported };
    try {
      return await handle(pdu);
    } catch {
      return { command_status: STATUS.ESME_RSYSERR };
    }
  }
}
