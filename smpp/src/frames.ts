// Cuts a byte stream into whole PDUs by command_length. A length that cannot be true means the stream has lost its framing:
// that is fatal, and the caller answers generic_nack ESME_RINVCMDLEN and closes. Memory held is at most one PDU.

import { HEADER, MAX_PDU, PduError, STATUS } from './pdu.ts';

/** Framing is lost; nothing after it can be trusted. */
export class FrameError extends PduError {
  constructor(length: number) {
    super(STATUS.ESME_RINVCMDLEN, `command_length ${length}`);
    this.name = 'FrameError';
  }
}

export class FrameSplitter {
  #limit: number;
  #length = Buffer.allocUnsafeSlow(4);
  #lengthKnown = 0;
  #frame: Buffer | null = null;
  #filled = 0;

  constructor(limit: number = MAX_PDU) {
    this.#limit = limit;
  }

  /** True while part of a PDU is waiting for the rest. */
  get partial(): boolean {
    return this.#frame !== null || this.#lengthKnown > 0;
  }

  /** Calls back with each frame completed by this chunk. Throws FrameError, after which the splitter must be dropped. */
  push(chunk: Buffer, onFrame: (frame: Buffer) => void): void {
    let at = this.partial ? this.#finish(chunk, onFrame) : 0;
    while (chunk.length - at >= 4) {
      const length = this.#check(chunk.readUInt32BE(at));
      if (chunk.length - at < length) {
        this.#start(length);
        break;
      }
      onFrame(chunk.subarray(at, at + length));
      at += length;
    }
    if (at < chunk.length) this.#take(chunk, at);
  }

  #check(length: number): number {
    if (length < HEADER || length > this.#limit) throw new FrameError(length);
    return length;
  }

  #start(length: number): void {
    this.#frame = Buffer.allocUnsafe(length);
    this.#filled = 0;
  }

  /** Completes what an earlier chunk began; returns where the next frame starts. */
  #finish(chunk: Buffer, onFrame: (frame: Buffer) => void): number {
    const at = this.#take(chunk, 0);
    const frame = this.#frame;
    if (!frame || this.#filled < frame.length) return chunk.length;
    this.#frame = null;
    onFrame(frame);
    return at;
  }

  #take(chunk: Buffer, from: number): number {
    let at = from;
    if (!this.#frame) {
      while (this.#lengthKnown < 4 && at < chunk.length) this.#length[this.#lengthKnown++] = chunk[at++]!;
      if (this.#lengthKnown < 4) return at;
      this.#start(this.#check(this.#length.readUInt32BE(0)));
      this.#length.copy(this.#frame!, 0);
      this.#filled = 4;
      this.#lengthKnown = 0;
    }
    const copied = chunk.copy(this.#frame!, this.#filled, at);
    this.#filled += copied;
    return at + copied;
  }
}
