// One SMPP conversation over a connected socket, the same for both ends. Promises: every request made settles (answer, timeout
// or close), every request received is answered once by its owner, and a session is either working or closed, never in between.
// PDUs of one event-loop turn leave in one write. Bind rules, windows and rates belong to the client and the server.

import type { Socket } from 'node:net';
import { COMMANDS, type Command, commandById, RESPONSE_BIT } from './commands.ts';
import { FrameError, FrameSplitter } from './frames.ts';
import { decodePdu, encodePdu, MAX_PDU, type Pdu, type PduDraft, PduError, type PduFields } from './pdu.ts';
import { Pending, SessionError } from './pending.ts';

export { SessionError } from './pending.ts';

export type CloseReason = {
  /** `unbound`: by agreement; `lost`: the line went; `silent`: enquire_link unanswered; `protocol`: framing lost; `local`: our decision. */
  kind: 'unbound' | 'lost' | 'silent' | 'protocol' | 'local';
  text: string;
};

export type SessionOptions = {
  /** Requests that are not enquire_link or unbind, also outbind and alert_notification (which take no answer). */
  onRequest?: (pdu: Pdu) => void;
  onClose?: (reason: CloseReason) => void;
  /** An answer that came after its request had timed out: late evidence of what happened. */
  onLateResponse?: (response: Pdu, request: PduDraft) => void;
  /** A PDU with intact framing that could not be read; the peer has been told already. */
  onBadPdu?: (error: PduError, frame: Buffer) => void;
  response_timeout_ms?: number;
  /** Silence after which the line is tried with enquire_link; 0 never. */
  enquire_link_ms?: number;
  /** How long the answer to enquire_link may take. */
  enquire_link_timeout_ms?: number;
  max_pdu?: number;
};

/** Stop reading from a peer that does not read our answers, once this much waits for it. */
const CONGESTED = 256 * 1024;

export class Session {
  readonly socket: Socket;
  readonly remote: string;
  #options: SessionOptions;
  #pending: Pending;
  #splitter: FrameSplitter;
  #queue: Buffer[] = [];
  #queued = 0;
  #flushing = false;
  #sequence = 0;
  #closed: CloseReason | null = null;
  #closing: CloseReason | null = null;
  #lastRead = performance.now();
  #idle: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: SessionOptions = {}) {
    this.socket = socket;
    this.remote = `${socket.remoteAddress ?? '?'}:${socket.remotePort ?? '?'}`;
    this.#options = options;
    this.#splitter = new FrameSplitter(options.max_pdu ?? MAX_PDU);
    this.#pending = new Pending(options.response_timeout_ms ?? 30_000);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => socket.resume());
    socket.on('error', (error) => this.#because({ kind: 'lost', text: error.message }));
    socket.on('close', () => this.#finish());
    this.#watch();
  }

  get open(): boolean {
    return this.#closed === null && this.#closing === null;
  }

  /** Requests sent and not yet settled, enquire_link included. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Resolves with whatever response arrives, errors included: look at command_status. */
  request(draft: PduDraft, options: { timeout_ms?: number } = {}): Promise<Pdu> {
    if (!this.open) return Promise.reject(new SessionError('closed', this.#why(), false));
    let frame: Buffer;
    const sequence_number = this.#nextSequence();
    try {
      frame = encodePdu(draft, sequence_number);
    } catch (error) {
      return Promise.reject(error);
    }
    this.#send(frame);
    return this.#pending.add(sequence_number, draft, options.timeout_ms);
  }

  /** Sends a PDU that takes no answer (alert_notification, outbind, generic_nack). False when the session is closed. */
  notify(draft: PduDraft): boolean {
    if (!this.open) return false;
    this.#send(encodePdu(draft, draft.sequence_number ?? this.#nextSequence()));
    return true;
  }

  /** Answers a request. False when the session is closed, and the answer is lost with it. */
  respond(request: Pdu, fields: PduFields & { command_status?: number } = {}): boolean {
    const command = COMMANDS[request.command].response;
    if (!command) throw new TypeError(`${request.command} takes no response`);
    if (this.#closed || this.#closing) return false;
    this.#send(encodePdu({ ...fields, command, sequence_number: request.sequence_number }));
    return true;
  }

  /** Agrees with the peer to end, then closes. Never rejects and never takes longer than the time-out. */
  async unbind(timeout_ms = 2_000): Promise<void> {
    if (this.open) {
      await this.request({ command: 'unbind' }, { timeout_ms }).catch(() => undefined);
    }
    this.close({ kind: 'unbound', text: 'Unbound' });
  }

  /** Writes what is queued and closes the connection; a peer that does not close its side in time is cut off. */
  close(reason: CloseReason = { kind: 'local', text: 'Closed' }): void {
    if (this.#closed || this.#closing) return;
    this.#flush();
    this.#closing = reason;
    clearInterval(this.#idle);
    this.socket.end();
    // Unread input must not keep the socket from noticing the peer's end.
    this.socket.resume();
    const grace = setTimeout(() => this.socket.destroy(), 1_000);
    this.socket.once('close', () => clearTimeout(grace));
  }

  /** Cuts the connection at once; what is queued is lost. */
  destroy(reason: CloseReason = { kind: 'local', text: 'Cut' }): void {
    this.#because(reason);
    this.socket.destroy();
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence >= 0x7fffffff ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  #send(frame: Buffer): void {
    this.#queue.push(frame);
    this.#queued += frame.length;
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    if (this.#queue.length === 0 || this.socket.destroyed) return;
    const octets = this.#queue.length === 1 ? this.#queue[0]! : Buffer.concat(this.#queue, this.#queued);
    this.#queue = [];
    this.#queued = 0;
    this.#pending.flushed();
    if (!this.socket.write(octets) && this.socket.writableLength > CONGESTED) this.socket.pause();
  }

  #read(chunk: Buffer): void {
    this.#lastRead = performance.now();
    if (this.#closing?.kind === 'protocol') return;
    try {
      this.#splitter.push(chunk, (frame) => this.#receive(frame));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (this.open) {
        this.#send(encodePdu({ command: 'generic_nack', command_status: error.command_status }));
        this.close({ kind: 'protocol', text: error.message });
      }
      this.#closing = { kind: 'protocol', text: error.message };
    }
  }

  #receive(frame: Buffer): void {
    if (this.#closed || this.#closing?.kind === 'protocol') return;
    let pdu: Pdu;
    try {
      pdu = decodePdu(frame);
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.#refuse(frame, error);
      return;
    }
    if (COMMANDS[pdu.command].id >= RESPONSE_BIT) {
      const late = this.#pending.settle(pdu);
      if (late) this.#options.onLateResponse?.(pdu, late);
    } else if (pdu.command === 'enquire_link') this.respond(pdu);
    else if (pdu.command === 'unbind') {
      this.respond(pdu);
      this.close({ kind: 'unbound', text: 'The peer unbound' });
    } else if (this.open) this.#options.onRequest?.(pdu);
  }

  /** Framing is intact, so the sequence number is good: say what was wrong and go on. */
  #refuse(frame: Buffer, error: PduError): void {
    const id = frame.readUInt32BE(4);
    const sequence_number = frame.readUInt32BE(12);
    this.#options.onBadPdu?.(error, frame);
    if (id >= RESPONSE_BIT) {
      // Responses are not answered; the one who waits must know that the answer came and says nothing.
      this.#pending.spoil(sequence_number, commandById(id)?.command, error.message);
      return;
    }
    if (!this.open) return;
    const command: Command = commandById(id)?.response ?? 'generic_nack';
    this.#send(encodePdu({ command, command_status: error.command_status, sequence_number }));
  }

  #watch(): void {
    const every = this.#options.enquire_link_ms ?? 30_000;
    if (every <= 0) return;
    let asking = false;
    this.#idle = setInterval(async () => {
      if (asking || !this.open || performance.now() - this.#lastRead < every * 0.9) return;
      asking = true;
      const asked = performance.now();
      const timeout_ms = this.#options.enquire_link_timeout_ms ?? Math.max(every, 5_000);
      try {
        await this.request({ command: 'enquire_link' }, { timeout_ms });
      } catch {
        // Anything read since is a sign of life too: a busy peer may answer late.
        if (this.#lastRead < asked) this.destroy({ kind: 'silent', text: 'The peer does not answer enquire_link' });
      }
      asking = false;
    }, every);
  }

  #because(reason: CloseReason): void {
    this.#closing ??= reason;
  }

  #why(): string {
    return (this.#closed ?? this.#closing)?.text ?? 'Closed';
  }

  #finish(): void {
    if (this.#closed) return;
    clearInterval(this.#idle);
    this.#closed = this.#closing ?? { kind: 'lost', text: 'The peer closed the connection' };
    this.#queue = [];
    this.#pending.close(this.#why());
    this.#options.onClose?.(this.#closed);
  }
}
