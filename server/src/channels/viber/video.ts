/**
 * Reads the size and duration of a video, which Viber requires, from an MP4 or 3GP file without holding it in memory.
 */
import type { Readable } from 'node:stream';
import type { OutgoingMedia } from '../channel.ts';

export interface VideoSize {
  bytes: number;
  seconds: number;
}

/** Sizes of recent videos: each file is read once, however many messages carry it. */
export class VideoSizes {
  private readonly sizes = new Map<string, Promise<VideoSize | null>>();

  async of(media: OutgoingMedia): Promise<VideoSize | null> {
    const name = media.key ?? media.link;
    const found = this.sizes.get(name) ?? sizeOf(media);
    this.sizes.set(name, found);
    if (this.sizes.size > 1_000) this.sizes.delete(this.sizes.keys().next().value!);
    try {
      return await found;
    } catch (error) {
      this.sizes.delete(name);
      throw error;
    }
  }
}

async function sizeOf({ open, bytes, stretch }: OutgoingMedia): Promise<VideoSize | null> {
  if (!open || bytes === null) return stretch ? sizeBy(stretch) : null;
  const seconds = await secondsOf(await open());
  return seconds === null ? null : { bytes, seconds };
}

/** A file of somebody else's: only the headers of its boxes are read. */
const STRETCH_BYTES = 64 * 1024;
const STRETCHES_MOST = 12;

async function sizeBy(stretch: NonNullable<OutgoingMedia['stretch']>): Promise<VideoSize | null> {
  let from = 0;
  for (let turn = 0; turn < STRETCHES_MOST; turn++) {
    const found = await stretch(from, STRETCH_BYTES);
    if (!found) return null;
    const { octets, total } = found;
    let at = 0;
    while (at + 16 <= octets.length) {
      const { type, head, size } = boxAt(octets, at);
      if (size < head || from + at + size > total) return null;
      if (type === 'moov' && (at === 0 || at + size <= octets.length)) {
        const seconds = lengthIn(octets.subarray(at + head, at + size));
        return seconds === null ? null : { bytes: total, seconds };
      }
      // Reads again from the start of the box, as much as it needs.
      if (type === 'moov') break;
      at += size;
    }
    if (at === 0 || from + at >= total) return null;
    from += at;
  }
  return null;
}

/** `size` includes the header; 0 in the file means up to its end. */
function boxAt(octets: Buffer, at: number): { type: string; head: number; size: number } {
  const size = octets.readUInt32BE(at);
  const type = octets.toString('latin1', at + 4, at + 8);
  if (size === 1) return { type, head: 16, size: Number(octets.readBigUInt64BE(at + 8)) };
  return { type, head: 8, size };
}

/** The box that describes the file is small, however large the video. */
const MAX_BOX_BYTES = 16 * 1024 * 1024;

/** Null when the file has no size. Reads no further than needed. */
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
      // 0 means up to the end of the file.
      if (rest < 0) return null;
      if (type === 'moov') return rest > MAX_BOX_BYTES ? null : lengthIn(await source.take(rest));
      if (!(await source.skip(rest))) return null;
    }
  } finally {
    file.destroy();
  }
}

/** The duration from `mvhd`, in units, and how many units make a second (ISO 14496-12, 8.2.2). */
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

/** Reads a stream by a number of octets, or skips a number of octets. */
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
