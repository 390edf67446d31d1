// Parts of long incoming messages, in any order and any number of times, back into one. Pure and bounded: it holds at most so
// many parts for so long, and hands out what it gives up on, so nothing received is ever dropped without a word.

import type { Pdu } from './pdu.ts';
import { type Concatenation, parseUdh, UDHI } from './udh.ts';

export type Part = Concatenation & {
  /** Same for all parts of one message. */
  key: string;
  body: Buffer;
};

/** Text octets of a PDU, wherever it carries them, without a user data header. */
export function bodyOf(pdu: Pdu): Buffer {
  const message = carried(pdu);
  return hasHeader(pdu) ? parseUdh(message).body : message;
}

/** How a PDU is part of a longer message, by header or sar_* parameters; null when it is whole. Throws PduError on a broken header. */
export function partOf(pdu: Pdu): Part | null {
  const message = carried(pdu);
  const header = hasHeader(pdu) ? parseUdh(message) : null;
  const found = header?.concatenation ?? sar(pdu);
  if (!found || found.total < 2) return null;
  const ends = `${pdu.source_addr ?? ''}>${pdu.destination_addr ?? ''}`;
  const key = `${ends}#${found.bits}:${found.reference}/${found.total}`;
  return { ...found, key, body: header?.body ?? message };
}

const carried = (pdu: Pdu): Buffer =>
  pdu.short_message?.length ? pdu.short_message : (pdu.tlvs?.message_payload ?? Buffer.alloc(0));
const hasHeader = (pdu: Pdu): boolean => ((pdu.esm_class ?? 0) & UDHI) !== 0;

function sar(pdu: Pdu): Concatenation | null {
  const { sar_msg_ref_num, sar_total_segments, sar_segment_seqnum } = pdu.tlvs ?? {};
  if (sar_msg_ref_num === undefined || !sar_total_segments || !sar_segment_seqnum) return null;
  if (sar_segment_seqnum > sar_total_segments) return null;
  return { reference: sar_msg_ref_num, total: sar_total_segments, part: sar_segment_seqnum, bits: 16 };
}

export type Assembled = {
  /** In the order of the parts; where some are missing, those that came. */
  pdus: Pdu[];
  /** Their texts' octets joined: decode with the data_coding of the first. */
  body: Buffer;
  /** Numbers of the parts that never came. */
  missing: number[];
};

export type ReassemblyOptions = {
  timeout_ms?: number;
  /** Octets held at most, parts of complete messages remembered against repetition included. */
  max_octets?: number;
  /** Called for each message given up, by time or for want of room. */
  onExpired?: (partial: Assembled) => void;
  /** Milliseconds, from anywhere, never backwards. */
  now?: () => number;
};

type Held = { pdu: Pdu; body: Buffer };
type Entry = { key: string; since: number; total: number; parts: Map<number, Held>; done: boolean };

const weight = (part: Held) => part.body.length + 1_000;

/** A copy that does not keep the whole network chunk alive that it was cut from. */
function detached(pdu: Pdu): Pdu {
  const copy = { ...pdu };
  if (pdu.short_message) copy.short_message = Buffer.from(pdu.short_message);
  if (pdu.tlvs?.message_payload) copy.tlvs = { ...pdu.tlvs, message_payload: Buffer.from(pdu.tlvs.message_payload) };
  return copy;
}

export class Reassembly {
  #entries = new Map<string, Entry>();
  #octets = 0;
  #timeout_ms: number;
  #max_octets: number;
  #onExpired: ((partial: Assembled) => void) | undefined;
  #now: () => number;

  constructor(options: ReassemblyOptions = {}) {
    this.#timeout_ms = options.timeout_ms ?? 10 * 60_000;
    this.#max_octets = options.max_octets ?? 16 * 1024 * 1024;
    this.#onExpired = options.onExpired;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Octets held, by weight of text and a fixed allowance for each part. */
  get octets(): number {
    return this.#octets;
  }

  /** The whole message when this PDU completes one (or is one), null while parts are missing or when it is a repetition. */
  add(pdu: Pdu): Assembled | null {
    this.sweep();
    const part = partOf(pdu);
    if (!part) return { pdus: [pdu], body: bodyOf(pdu), missing: [] };
    let entry = this.#entries.get(part.key);
    const known = entry?.parts.get(part.part);
    if (known?.body.equals(part.body)) return null;
    // Another text under the same number, or after completion: the sender's reference has come round.
    if (entry && (known || entry.done)) {
      this.#forget(entry);
      entry = undefined;
    }
    if (!entry) {
      entry = { key: part.key, since: this.#now(), total: part.total, parts: new Map(), done: false };
      this.#entries.set(part.key, entry);
    }
    const own = detached(pdu);
    const held = { pdu: own, body: partOf(own)!.body };
    entry.parts.set(part.part, held);
    this.#octets += weight(held);
    const whole = entry.parts.size === entry.total ? assemble(entry) : null;
    if (whole) entry.done = true;
    while (this.#octets > this.#max_octets) this.#forget(this.#entries.values().next().value!);
    return whole;
  }

  /** Gives up what has waited too long. Call it now and then; add() does too. */
  sweep(): void {
    const limit = this.#now() - this.#timeout_ms;
    for (const entry of this.#entries.values()) {
      if (entry.since > limit) break;
      this.#forget(entry);
    }
  }

  /** Gives up everything, as at shutdown. */
  clear(): void {
    for (const entry of this.#entries.values()) this.#forget(entry);
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.key);
    for (const part of entry.parts.values()) this.#octets -= weight(part);
    if (!entry.done) this.#onExpired?.(assemble(entry));
  }
}

function assemble(entry: Entry): Assembled {
  const numbers = Array.from({ length: entry.total }, (_, index) => index + 1);
  const held = numbers.flatMap((number) => entry.parts.get(number) ?? []);
  return {
    pdus: held.map((part) => part.pdu),
    body: Buffer.concat(held.map((part) => part.body)),
    missing: numbers.filter((number) => !entry.parts.has(number)),
  };
}
