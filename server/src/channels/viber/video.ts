/** How long a video lasts, which Viber wants to be told: read from the file itself, an MP4 or a 3GP, without holding it. */
import type { Readable } from 'node:stream';

/** The box that describes the whole is small, however large the video. */
const MAX_BOX_BYTES = 16 * 1024 * 1024;

/** Null when the file does not say. Reads no further than it must. */
export async function secondsOf(file: Readable): Promise<number | null> {
  const source = new Pieces(file);
  try {
    for (;;) {
      const head = await source.take(8);
      if (!head) return null;
      let rest = head.readUInt32BE(0) - 8;
      const type = head.toString('latin1', 4, 8);
      if (rest === -7) {
        const long = await source.take(8);
        if (!long) return null;
        rest = Number(long.readBigUInt64BE(0)) - 16;
      }
      // 0 means: to the end of the file.
      if (rest < 0) return null;
      if (type === 'moov') return rest > MAX_BOX_BYTES ? null : lengthIn(await source.take(rest));
      if (!(await source.skip(rest))) return null;
    }
  } finally {
    file.destroy();
  }
}

/** Of `mvhd`, a box in the box: how many units, and how many of them are a second (ISO 14496-12, 8.2.2). */
function lengthIn(box: Buffer | null): number | null {
  for (let at = 0; box && at + 8 <= box.length; ) {
    const size = box.readUInt32BE(at);
    if (box.toString('latin1', at + 4, at + 8) === 'mvhd') {
      const long = box[at + 8] === 1;
      if (at + (long ? 40 : 28) > box.length) return null;
      const units = box.readUInt32BE(at + (long ? 28 : 20));
      const length = long ? Number(box.readBigUInt64BE(at + 32)) : box.readUInt32BE(at + 24);
      return units > 0 && length > 0 ? length / units : null;
    }
    if (size < 8) return null;
    at += size;
  }
  return null;
}

/** A stream that is asked for so many octets, or passed over by so many. */
class Pieces {
  private readonly pieces: AsyncIterator<Buffer>;
  private piece: Buffer = Buffer.alloc(0);

  constructor(file: Readable) {
    this.pieces = (file as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer | null> {
    const taken: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      if (!(await this.more())) return null;
      const part = this.piece.subarray(0, left);
      this.piece = this.piece.subarray(part.length);
      taken.push(part);
      left -= part.length;
    }
    return Buffer.concat(taken);
  }

  async skip(bytes: number): Promise<boolean> {
    for (let left = bytes; left > 0; ) {
      if (!(await this.more())) return false;
      const part = Math.min(left, this.piece.length);
      this.piece = this.piece.subarray(part);
      left -= part;
    }
    return true;
  }

  private async more(): Promise<boolean> {
    while (this.piece.length === 0) {
      const { value, done } = await this.pieces.next();
      if (done) return false;
      this.piece = value;
    }
    return true;
  }
}
