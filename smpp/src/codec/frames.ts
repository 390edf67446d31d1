/**
 * Splits a byte stream into PDUs by command_length. An impossible length means that the stream has lost its framing.
 * That is fatal: the caller responds with generic_nack ESME_RINVCMDLEN and closes. At most one PDU is held in memory.
 */

import { HEADER, MAX_PDU, PduError, STATUS } from '../pdu.ts';

/** The stream has lost its framing, and nothing after this point can be trusted. */
export class FrameError extends PduError {
  constructor(length: number) {
    super(STATUS.ESME_RINVCMDLEN, `command_length ${length}`);
    this.name = 'FrameError';
  }
}

export class FrameSplitter {
  private readonly limit: number;
  private readonly length = Buffer.allocUnsafeSlow(4);
  private lengthKnown = 0;
  private frame: Buffer | null = null;
  private filled = 0;

  constructor(limit: number = MAX_PDU) {
    this.limit = limit;
  }

  /** True if an incomplete PDU is buffered. */
  get partial(): boolean {
    return this.frame !== null || this.lengthKnown > 0;
  }

  /** Passes each frame that this chunk completes to `onFrame`. Discard the splitter after it throws a FrameError. */
  push(chunk: Buffer, onFrame: (frame: Buffer) => void): void {
    let at = this.partial ? this.finish(chunk, onFrame) : 0;
    while (chunk.length - at >= 4) {
      const length = this.check(chunk.readUInt32BE(at));
      if (chunk.length - at < length) {
        this.start(length);
        break;
      }
      onFrame(chunk.subarray(at, at + length));
      at += length;
    }
    if (at < chunk.length) this.fill(chunk, at);
  }

  private check(length: number): number {
    if (length < HEADER || length > this.limit) throw new FrameError(length);
    return length;
  }

  private start(length: number): void {
    this.frame = Buffer.allocUnsafe(length);
    this.filled = 0;
  }

  /** Completes the frame that an earlier chunk began. Returns the position of the next frame. */
  private finish(chunk: Buffer, onFrame: (frame: Buffer) => void): number {
    const at = this.fill(chunk, 0);
    const frame = this.frame;
    if (!frame || this.filled < frame.length) return chunk.length;
    this.frame = null;
    onFrame(frame);
    return at;
  }

  private fill(chunk: Buffer, from: number): number {
    let at = from;
    if (!this.frame) {
      while (this.lengthKnown < 4 && at < chunk.length) this.length[this.lengthKnown++] = chunk[at++]!;
      if (this.lengthKnown < 4) return at;
      this.start(this.check(this.length.readUInt32BE(0)));
      this.length.copy(this.frame!, 0);
      this.filled = 4;
      this.lengthKnown = 0;
    }
    const copied = chunk.copy(this.frame!, this.filled, at);
    this.filled += copied;
    return at + copied;
  }
}
