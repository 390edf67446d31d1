/**
 * Reads the size and duration of a video, which Viber requires, from an MP4 or 3GP file without holding it in memory.
 */
import type { Readable } from 'node:stream';
import type { OutgoingMedia } from '../outgoing_content.ts';

export interface VideoSize {
  bytes: number;
  seconds: number;
}

/** The sizes of recent videos. Each file is read once, no matter how many messages contain it. */
export class VideoSizes {
  private readonly sizes = new Map<string, Promise<VideoSize | null>>();

  async get(media: OutgoingMedia): Promise<VideoSize | null> {
    const name = media.key ?? media.link;
    const result = this.sizes.get(name) ?? readSize(media);
    this.sizes.set(name, result);
    if (this.sizes.size > 1_000) this.sizes.delete(this.sizes.keys().next().value!);
    try {
      return await result;
    } catch (error) {
      this.sizes.delete(name);
      throw error;
    }
  }
}

async function readSize({ open, bytes, readRange }: OutgoingMedia): Promise<VideoSize | null> {
  if (!open || bytes === null) return readRange ? readSizeInRanges(readRange) : null;
  const seconds = await readSeconds(await open());
  return seconds === null ? null : { bytes, seconds };
}

/** For a linked file, only the headers of its boxes are read, in ranges of this size. */
const RANGE_BYTES = 64 * 1024;
const MAX_RANGES = 12;

async function readSizeInRanges(readRange: NonNullable<OutgoingMedia['readRange']>): Promise<VideoSize | null> {
  let from = 0;
  for (let attempt = 0; attempt < MAX_RANGES; attempt++) {
    const result = await readRange(from, RANGE_BYTES);
    if (!result) return null;
    const { octets, total } = result;
    let at = 0;
    while (at + 16 <= octets.length) {
      const { type, head, size } = readBox(octets, at);
      if (size < head || from + at + size > total) return null;
      if (type === 'moov' && (at === 0 || at + size <= octets.length)) {
        const seconds = readDuration(octets.subarray(at + head, at + size));
        return seconds === null ? null : { bytes: total, seconds };
      }
      // The next range starts at this box, so that it contains the box completely.
      if (type === 'moov') break;
      at += size;
    }
    if (at === 0 || from + at >= total) return null;
    from += at;
  }
  return null;
}

/** `size` includes the header. In the file, 0 means that the box extends to the end of the file. */
function readBox(octets: Buffer, at: number): { type: string; head: number; size: number } {
  const size = octets.readUInt32BE(at);
  const type = octets.toString('latin1', at + 4, at + 8);
  if (size === 1) return { type, head: 16, size: Number(octets.readBigUInt64BE(at + 8)) };
  return { type, head: 8, size };
}

/** The `moov` box, which describes the file, is small even for a large video. */
const MAX_BOX_BYTES = 16 * 1024 * 1024;

/** Returns null if the file states no duration. Reads no further than needed. */
export async function readSeconds(file: Readable): Promise<number | null> {
  const source = new Pieces(file);
  try {
    for (;;) {
      const head = await source.take(8);
      if (!head) return null;
      let remaining = head.readUInt32BE(0) - 8;
      const type = head.toString('latin1', 4, 8);
      if (remaining === -7) {
        const long = await source.take(8);
        if (!long) return null;
        remaining = Number(long.readBigUInt64BE(0)) - 16;
      }
      // 0 means that the box extends to the end of the file.
      if (remaining < 0) return null;
      if (type === 'moov') return remaining > MAX_BOX_BYTES ? null : readDuration(await source.take(remaining));
      if (!(await source.skip(remaining))) return null;
    }
  } finally {
    file.destroy();
  }
}

/** Reads the duration from `mvhd`: a number of units, and the units per second (ISO 14496-12, 8.2.2). */
function readDuration(box: Buffer | null): number | null {
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

/** Reads or skips octets of a stream. */
class Pieces {
  private readonly pieces: AsyncIterator<Buffer>;
  private piece: Buffer = Buffer.alloc(0);

  constructor(file: Readable) {
    this.pieces = (file as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      if (!(await this.hasMore())) return null;
      const part = this.piece.subarray(0, left);
      this.piece = this.piece.subarray(part.length);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  async skip(bytes: number): Promise<boolean> {
    for (let left = bytes; left > 0; ) {
      if (!(await this.hasMore())) return false;
      const part = Math.min(left, this.piece.length);
      this.piece = this.piece.subarray(part);
      left -= part;
    }
    return true;
  }

  private async hasMore(): Promise<boolean> {
    while (this.piece.length === 0) {
      const { value, done } = await this.pieces.next();
      if (done) return false;
      this.piece = value;
    }
    return true;
  }
}
