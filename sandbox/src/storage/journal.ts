/**
 * The journal preserves the sandbox's state across a kill -9, as lines of JSON in numbered segments. A line is in the
 * file before the promise returned by `append` resolves, and one write per event-loop turn contains all lines from that
 * turn. Segments are never rewritten: a segment is deleted once none of its messages are kept. Because there is no
 * fsync, lines survive the end of the process but not a power failure.
 */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

interface Segment {
  number: number;
  /** The highest message number when the segment was closed. All lines in it are about this message or older ones. */
  up_to: number;
}

interface JournalOptions<Entry> {
  directory: string;
  /** The state that must not depend on older segments. Every new segment starts with it. */
  head: () => Entry[];
  /** Replays each line at startup, oldest first. Returns the message number that the line introduces, if any. */
  replay: (entry: Entry) => number | undefined;
  segment_bytes?: number;
}

const segmentName = (number: number) => `journal-${String(number).padStart(8, '0')}.jsonl`;
const segmentNumber = (name: string) => Number(/^journal-(\d{8})\.jsonl$/.exec(name)?.[1] ?? 0);

export class Journal<Entry> {
  private readonly options: Required<JournalOptions<Entry>>;
  private segments: Segment[] = [];
  private descriptor = -1;
  private size = 0;
  private upTo = 0;
  private lines: string[] = [];
  private turn: PromiseWithResolvers<void> | undefined;
  private closed = false;

  constructor(options: JournalOptions<Entry>) {
    this.options = { ...options, segment_bytes: options.segment_bytes ?? 32 * 1024 * 1024 };
    mkdirSync(options.directory, { recursive: true });
    const numbers = readdirSync(options.directory)
      .map(segmentNumber)
      .filter(Boolean)
      .sort((a, b) => a - b);
    for (const number of numbers) this.replaySegment(number);
    if (numbers.length === 0) this.begin(1);
    else {
      this.descriptor = openSync(this.path(numbers.at(-1)!), 'a');
      this.size = statSync(this.path(numbers.at(-1)!)).size;
    }
  }

  /**
   * Resolves once the line is in the file. Rejects if the write fails; in that case, no line from this turn is kept.
   */
  append(entry: Entry, introduces?: number): Promise<void> {
    if (this.closed) return Promise.reject(new Error('the journal is closed'));
    this.lines.push(JSON.stringify(entry));
    if (introduces !== undefined && introduces > this.upTo) this.upTo = introduces;
    if (!this.turn) {
      this.turn = Promise.withResolvers<void>();
      this.turn.promise.catch(() => {});
      setImmediate(() => this.flush());
    }
    return this.turn.promise;
  }

  flush(): void {
    const turn = this.turn;
    if (!turn) return;
    const bytes = Buffer.from(`${this.lines.join('\n')}\n`);
    this.lines = [];
    this.turn = undefined;
    try {
      // The journal rotates before this write: the lines from the last turn have been applied by now, so the head
      // includes them.
      if (this.size > this.options.segment_bytes) this.rotate();
      this.write(bytes);
      turn.resolve();
    } catch (error) {
      turn.reject(error);
    }
  }

  /** Deletes the segments in which all lines are about messages older than `oldest`. */
  dropBefore(oldest: number): void {
    while (this.segments.length > 1 && this.segments[0]!.up_to < oldest) {
      rmSync(this.path(this.segments.shift()!.number), { force: true });
    }
  }

  /**
   * Deletes everything. Segment numbers continue, so that old and new lines do not mix if the process crashes halfway
   * through.
   */
  clear(): void {
    this.flush();
    const old = this.segments;
    const next = old.at(-1)!.number + 1;
    closeSync(this.descriptor);
    this.segments = [];
    for (const segment of old) rmSync(this.path(segment.number), { force: true });
    this.begin(next);
  }

  close(): void {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    closeSync(this.descriptor);
  }

  private path(number: number): string {
    return join(this.options.directory, segmentName(number));
  }

  private begin(number: number): void {
    const head = this.options.head().map((entry) => `${JSON.stringify(entry)}\n`);
    const bytes = Buffer.from(head.join(''));
    const descriptor = openSync(this.path(number), 'a');
    try {
      writeAll(descriptor, bytes);
    } catch (error) {
      closeSync(descriptor);
      rmSync(this.path(number), { force: true });
      throw error;
    }
    this.descriptor = descriptor;
    this.size = bytes.length;
    this.segments.push({ number, up_to: this.upTo });
  }

  private rotate(): void {
    const full = this.descriptor;
    try {
      this.begin(this.segments.at(-1)!.number + 1);
      closeSync(full);
    } catch {
      // There is no room for a new segment, so the current one continues until the next attempt succeeds.
    }
  }

  private write(bytes: Buffer): void {
    try {
      writeAll(this.descriptor, bytes);
      this.size += bytes.length;
      this.segments.at(-1)!.up_to = this.upTo;
    } catch (error) {
      // A partial batch must be removed, because its senders get an error.
      ftruncateSync(this.descriptor, this.size);
      throw error;
    }
  }

  private replaySegment(number: number): void {
    const bytes = readFileSync(this.path(number));
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const entry = parse<Entry>(bytes.toString('utf8', start, end));
      if (entry !== undefined) this.upTo = Math.max(this.upTo, this.options.replay(entry) ?? 0);
      start = end + 1;
    }
    // A kill during a write leaves an incomplete last line, which was never acknowledged.
    if (start < bytes.length) truncateSync(this.path(number), start);
    this.segments.push({ number, up_to: this.upTo });
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done);
}

function parse<Entry>(line: string): Entry | undefined {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}
