// The sandbox's memory across a kill -9: lines of JSON in numbered segments. A line handed to `append` is in the file before
// its promise settles, and one write per event-loop turn carries every line of that turn. Segments are never rewritten: one is
// deleted whole once nothing in it is kept. Lines survive the process, not a power cut: there is no fsync.
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
  /** The highest message number known when the segment was closed: everything it says is about this message or older ones. */
  up_to: number;
}

export interface JournalOptions<Entry> {
  directory: string;
  /** What must be known without the older segments; written first into every new one. */
  head: () => Entry[];
  /** Called for every line found at start, oldest first; returns the message number it introduces, if any. */
  replay: (entry: Entry) => number | undefined;
  segment_bytes?: number;
}

const nameOf = (number: number) => `journal-${String(number).padStart(8, '0')}.jsonl`;
const numberOf = (name: string) => Number(/^journal-(\d{8})\.jsonl$/.exec(name)?.[1] ?? 0);

export class Journal<Entry> {
  #options: Required<JournalOptions<Entry>>;
  #segments: Segment[] = [];
  #descriptor = -1;
  #size = 0;
  #upTo = 0;
  #lines: string[] = [];
  #turn: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(options: JournalOptions<Entry>) {
    this.#options = { ...options, segment_bytes: options.segment_bytes ?? 32 * 1024 * 1024 };
    mkdirSync(options.directory, { recursive: true });
    const numbers = readdirSync(options.directory)
      .map(numberOf)
      .filter(Boolean)
      .sort((a, b) => a - b);
    for (const number of numbers) this.#replaySegment(number);
    if (numbers.length === 0) this.#begin(1);
    else {
      this.#descriptor = openSync(this.#path(numbers.at(-1)!), 'a');
      this.#size = statSync(this.#path(numbers.at(-1)!)).size;
    }
  }

  /** Settles once the line is in the file; rejects, and keeps nothing of this turn, when the disk refuses it. */
  append(entry: Entry, introduces?: number): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the journal is closed'));
    this.#lines.push(JSON.stringify(entry));
    if (introduces !== undefined && introduces > this.#upTo) this.#upTo = introduces;
    if (!this.#turn) {
      this.#turn = Promise.withResolvers<void>();
      this.#turn.promise.catch(() => {});
      setImmediate(() => this.flush());
    }
    return this.#turn.promise;
  }

  flush(): void {
    const turn = this.#turn;
    if (!turn) return;
    const bytes = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#turn = undefined;
    try {
      // Before the lines of this turn, never after: by now what the last turn wrote is applied, so the head counts it.
      if (this.#size > this.#options.segment_bytes) this.#rotate();
      this.#write(bytes);
      turn.resolve();
    } catch (error) {
      turn.reject(error);
    }
  }

  /** Deletes the segments that speak only of messages older than `oldest`. */
  dropBefore(oldest: number): void {
    while (this.#segments.length > 1 && this.#segments[0]!.up_to < oldest) {
      rmSync(this.#path(this.#segments.shift()!.number), { force: true });
    }
  }

  /** Forgets everything; the numbering of segments goes on so that a crash half-way cannot mix old and new. */
  clear(): void {
    this.flush();
    const old = this.#segments;
    const next = old.at(-1)!.number + 1;
    closeSync(this.#descriptor);
    this.#segments = [];
    for (const segment of old) rmSync(this.#path(segment.number), { force: true });
    this.#begin(next);
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    closeSync(this.#descriptor);
  }

  #path(number: number): string {
    return join(this.#options.directory, nameOf(number));
  }

  #begin(number: number): void {
    const head = this.#options.head().map((entry) => `${JSON.stringify(entry)}\n`);
    const bytes = Buffer.from(head.join(''));
    const descriptor = openSync(this.#path(number), 'a');
    try {
      writeAll(descriptor, bytes);
    } catch (error) {
      closeSync(descriptor);
      rmSync(this.#path(number), { force: true });
      throw error;
    }
    this.#descriptor = descriptor;
    this.#size = bytes.length;
    this.#segments.push({ number, up_to: this.#upTo });
  }

  #rotate(): void {
    const full = this.#descriptor;
    try {
      this.#begin(this.#segments.at(-1)!.number + 1);
      closeSync(full);
    } catch {
      // No room for a new segment: the lines are safe in this one, which goes on until the next attempt succeeds.
    }
  }

  #write(bytes: Buffer): void {
    try {
      writeAll(this.#descriptor, bytes);
      this.#size += bytes.length;
      this.#segments.at(-1)!.up_to = this.#upTo;
    } catch (error) {
      // Half a batch must not stay: its senders are told it was not accepted.
      ftruncateSync(this.#descriptor, this.#size);
      throw error;
    }
  }

  #replaySegment(number: number): void {
    const bytes = readFileSync(this.#path(number));
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const entry = parse<Entry>(bytes.toString('utf8', start, end));
      if (entry !== undefined) this.#upTo = Math.max(this.#upTo, this.#options.replay(entry) ?? 0);
      start = end + 1;
    }
    // A kill in the middle of a write leaves a torn last line; it was never acknowledged.
    if (start < bytes.length) truncateSync(this.#path(number), start);
    this.#segments.push({ number, up_to: this.#upTo });
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
