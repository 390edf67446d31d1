/**
 * One SMPP session over a connected socket, for both ends. Every request settles when its response arrives, when it
 * times out, or when the session ends. The owner responds exactly once to every received request. A session is either
 * open or closed, with no state in between. PDUs sent in the same event-loop turn are combined into one write. The
 * client and the server enforce bind rules, windows, and rates.
 */

import type { Socket } from 'node:net';
import { COMMANDS, type Command, commandById, RESPONSE_BIT } from './codec/commands.ts';
import { FrameError, FrameSplitter } from './codec/frames.ts';
import { decodePdu, encodePdu, MAX_PDU, type Pdu, type PduDraft, PduError, type PduFields } from './pdu.ts';
import { Pending, SessionError } from './transport/pending.ts';

export { SessionError } from './transport/pending.ts';

export type CloseReason = {
  /**
   * `unbound`: one side sent unbind; `lost`: the connection broke; `silent`: no response to enquire_link; `protocol`:
   * the framing was lost; `local`: this side closed it.
   */
  kind: 'unbound' | 'lost' | 'silent' | 'protocol' | 'local';
  text: string;
};

export type SessionOptions = {
  /** Receives all requests except enquire_link and unbind. outbind and alert_notification get no response. */
  onRequest?: (pdu: Pdu) => void;
  onClose?: (reason: CloseReason) => void;
  /** Receives a response that arrived after its request had timed out. */
  onLateResponse?: (response: Pdu, request: PduDraft) => void;
  /** Reports a PDU with intact framing that could not be decoded. The peer has already received an error response. */
  onBadPdu?: (error: PduError, frame: Buffer) => void;
  response_timeout_ms?: number;
  /** The idle time after which enquire_link is sent. 0 disables it. */
  enquire_link_ms?: number;
  /** The time that the peer has to respond to enquire_link. */
  enquire_link_timeout_ms?: number;
  max_pdu?: number;
};

/** The number of unsent octets at which the session stops reading from a peer that does not read its responses. */
const CONGESTION_LIMIT = 256 * 1024;

export class Session {
  readonly socket: Socket;
  readonly remote: string;
  private readonly options: SessionOptions;
  private readonly requests: Pending;
  private readonly splitter: FrameSplitter;
  private queue: Buffer[] = [];
  private queued = 0;
  private flushing = false;
  private sequence = 0;
  private closed: CloseReason | null = null;
  private closing: CloseReason | null = null;
  private lastRead = performance.now();
  private idle: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: SessionOptions = {}) {
    this.socket = socket;
    this.remote = `${socket.remoteAddress ?? '?'}:${socket.remotePort ?? '?'}`;
    this.options = options;
    this.splitter = new FrameSplitter(options.max_pdu ?? MAX_PDU);
    this.requests = new Pending(options.response_timeout_ms ?? 30_000);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.readChunk(chunk));
    socket.on('drain', () => socket.resume());
    socket.on('error', (error) => this.setCloseReason({ kind: 'lost', text: error.message }));
    socket.on('close', () => this.finish());
    this.watch();
  }

  get open(): boolean {
    return this.closed === null && this.closing === null;
  }

  /** The number of requests that have not settled, including enquire_link. */
  get pending(): number {
    return this.requests.size;
  }

  /** Sends a request and resolves with its response. Error responses also resolve, so check command_status. */
  request(draft: PduDraft, options: { timeout_ms?: number } = {}): Promise<Pdu> {
    if (!this.open) return Promise.reject(new SessionError('closed', this.closeText(), false));
    let frame: Buffer;
    const sequence_number = this.nextSequence();
    try {
      frame = encodePdu(draft, sequence_number);
    } catch (error) {
      return Promise.reject(error);
    }
    this.send(frame);
    return this.requests.add(sequence_number, draft, options.timeout_ms);
  }

  /**
   * Sends a PDU that gets no response (alert_notification, outbind, generic_nack). Returns false if the session is
   * closed.
   */
  notify(draft: PduDraft): boolean {
    if (!this.open) return false;
    this.send(encodePdu(draft, draft.sequence_number ?? this.nextSequence()));
    return true;
  }

  /** Sends a response. Returns false if the session is closed and the response is lost. */
  respond(request: Pdu, fields: PduFields & { command_status?: number } = {}): boolean {
    const command = COMMANDS[request.command].response;
    if (!command) throw new TypeError(`${request.command} takes no response`);
    if (this.closed || this.closing) return false;
    this.send(encodePdu({ ...fields, command, sequence_number: request.sequence_number }));
    return true;
  }

  /** Sends unbind, then closes the connection. Never rejects and never takes longer than the timeout. */
  async unbind(timeout_ms = 2_000): Promise<void> {
    if (this.open) {
      await this.request({ command: 'unbind' }, { timeout_ms }).catch(() => undefined);
    }
    this.close({ kind: 'unbound', text: 'Unbound' });
  }

  /** Writes queued PDUs and closes the connection. If the peer does not close its side in time, it is disconnected. */
  close(reason: CloseReason = { kind: 'local', text: 'Closed' }): void {
    if (this.closed || this.closing) return;
    this.flush();
    this.closing = reason;
    clearInterval(this.idle);
    this.socket.end();
    // Unread input would keep this side from noticing that the peer has closed its side.
    this.socket.resume();
    const grace = setTimeout(() => this.socket.destroy(), 1_000);
    this.socket.once('close', () => clearTimeout(grace));
  }

  /** Closes the connection immediately and discards queued PDUs. */
  destroy(reason: CloseReason = { kind: 'local', text: 'Disconnected' }): void {
    this.setCloseReason(reason);
    this.socket.destroy();
  }

  private nextSequence(): number {
    this.sequence = this.sequence >= 0x7fffffff ? 1 : this.sequence + 1;
    return this.sequence;
  }

  private send(frame: Buffer): void {
    this.queue.push(frame);
    this.queued += frame.length;
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.flushing = false;
    if (this.queue.length === 0 || this.socket.destroyed) return;
    const octets = this.queue.length === 1 ? this.queue[0]! : Buffer.concat(this.queue, this.queued);
    this.queue = [];
    this.queued = 0;
    this.requests.flushed();
    if (!this.socket.write(octets) && this.socket.writableLength > CONGESTION_LIMIT) this.socket.pause();
  }

  private readChunk(chunk: Buffer): void {
    this.lastRead = performance.now();
    if (this.closing?.kind === 'protocol') return;
    try {
      this.splitter.push(chunk, (frame) => this.receiveFrame(frame));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (this.open) {
        this.send(encodePdu({ command: 'generic_nack', command_status: error.command_status }));
        this.close({ kind: 'protocol', text: error.message });
      }
      this.closing = { kind: 'protocol', text: error.message };
    }
  }

  private receiveFrame(frame: Buffer): void {
    if (this.closed || this.closing?.kind === 'protocol') return;
    let pdu: Pdu;
    try {
      pdu = decodePdu(frame);
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.rejectFrame(frame, error);
      return;
    }
    if (COMMANDS[pdu.command].id >= RESPONSE_BIT) {
      const late = this.requests.settle(pdu);
      if (late) this.options.onLateResponse?.(pdu, late);
    } else if (pdu.command === 'enquire_link') this.respond(pdu);
    else if (pdu.command === 'unbind') {
      this.respond(pdu);
      this.close({ kind: 'unbound', text: 'The peer unbound' });
    } else if (this.open) this.options.onRequest?.(pdu);
  }

  /** Responds with the error and continues. The framing is intact, so the sequence number is valid. */
  private rejectFrame(frame: Buffer, error: PduError): void {
    const id = frame.readUInt32BE(4);
    const sequence_number = frame.readUInt32BE(12);
    this.options.onBadPdu?.(error, frame);
    if (id >= RESPONSE_BIT) {
      // A malformed response gets no reply. Its request is rejected, because the response arrived but is unreadable.
      this.requests.rejectMalformed(sequence_number, commandById(id)?.command, error.message);
      return;
    }
    if (!this.open) return;
    const command: Command = commandById(id)?.response ?? 'generic_nack';
    this.send(encodePdu({ command, command_status: error.command_status, sequence_number }));
  }

  private watch(): void {
    const interval = this.options.enquire_link_ms ?? 30_000;
    if (interval <= 0) return;
    let enquiring = false;
    this.idle = setInterval(async () => {
      if (enquiring || !this.open || performance.now() - this.lastRead < interval * 0.9) return;
      enquiring = true;
      const started = performance.now();
      const timeout_ms = this.options.enquire_link_timeout_ms ?? Math.max(interval, 5_000);
      try {
        await this.request({ command: 'enquire_link' }, { timeout_ms });
      } catch {
        // A busy peer may respond late. Any PDU received since the enquiry proves that the peer is alive.
        if (this.lastRead < started)
          this.destroy({ kind: 'silent', text: 'The peer does not respond to enquire_link' });
      }
      enquiring = false;
    }, interval);
  }

  private setCloseReason(reason: CloseReason): void {
    this.closing ??= reason;
  }

  private closeText(): string {
    return (this.closed ?? this.closing)?.text ?? 'Closed';
  }

  private finish(): void {
    if (this.closed) return;
    clearInterval(this.idle);
    this.closed = this.closing ?? { kind: 'lost', text: 'The peer closed the connection' };
    this.queue = [];
    this.requests.close(this.closeText());
    this.options.onClose?.(this.closed);
  }
}
