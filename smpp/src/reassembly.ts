/**
 * Joins the parts of long incoming messages, which may arrive in any order and more than once. Memory and waiting time
 * are bounded. Incomplete messages that expire are handed to the caller, so no received part is dropped silently.
 */

import type { Pdu } from './pdu.ts';
import { type Concatenation, parseUdh, UDHI } from './udh.ts';

type Part = Concatenation & {
  /** Identifies the message. All of its parts have the same key. */
  key: string;
  body: Buffer;
};

/** Returns the message octets of a PDU without the user data header, from short_message or message_payload. */
export function messageBody(pdu: Pdu): Buffer {
  const message = messageOctets(pdu);
  return hasHeader(pdu) ? parseUdh(message).body : message;
}

/**
 * Determines which part of a longer message a PDU carries, based on its header or its sar_* parameters. Returns null
 * for a complete message. Throws a PduError if the header is malformed.
 */
export function readPart(pdu: Pdu): Part | null {
  const message = messageOctets(pdu);
  const header = hasHeader(pdu) ? parseUdh(message) : null;
  const concatenation = header?.concatenation ?? readSar(pdu);
  if (!concatenation || concatenation.total < 2) return null;
  const addresses = `${pdu.source_addr ?? ''}>${pdu.destination_addr ?? ''}`;
  const key = `${addresses}#${concatenation.bits}:${concatenation.reference}/${concatenation.total}`;
  return { ...concatenation, key, body: header?.body ?? message };
}

const messageOctets = (pdu: Pdu): Buffer =>
  pdu.short_message?.length ? pdu.short_message : (pdu.tlvs?.message_payload ?? Buffer.alloc(0));
const hasHeader = (pdu: Pdu): boolean => ((pdu.esm_class ?? 0) & UDHI) !== 0;

function readSar(pdu: Pdu): Concatenation | null {
  const { sar_msg_ref_num, sar_total_segments, sar_segment_seqnum } = pdu.tlvs ?? {};
  if (sar_msg_ref_num === undefined || !sar_total_segments || !sar_segment_seqnum) return null;
  if (sar_segment_seqnum > sar_total_segments) return null;
  return { reference: sar_msg_ref_num, total: sar_total_segments, part: sar_segment_seqnum, bits: 16 };
}

export type Assembled = {
  /** The received PDUs in the order of their parts. */
  pdus: Pdu[];
  /** The joined message octets. Decode them with the data_coding of the first PDU. */
  body: Buffer;
  /** The numbers of the parts that did not arrive. */
  missing: number[];
};

type ReassemblyOptions = {
  timeout_ms?: number;
  /** The memory limit. Parts of complete messages also count, because they are kept to detect repetitions. */
  max_octets?: number;
  /** Called for each incomplete message that is dropped by the timeout or the memory limit. */
  onExpired?: (partial: Assembled) => void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

type Held = { pdu: Pdu; body: Buffer };
type Entry = { key: string; since: number; total: number; parts: Map<number, Held>; done: boolean };

const weight = (part: Held) => part.body.length + 1_000;

/** Copies a PDU, so that the whole network chunk does not stay in memory. */
function copyPdu(pdu: Pdu): Pdu {
  const copy = { ...pdu };
  if (pdu.short_message) copy.short_message = Buffer.from(pdu.short_message);
  if (pdu.tlvs?.message_payload) copy.tlvs = { ...pdu.tlvs, message_payload: Buffer.from(pdu.tlvs.message_payload) };
  return copy;
}

export class Reassembly {
  private readonly entries = new Map<string, Entry>();
  private heldOctets = 0;
  private readonly timeout_ms: number;
  private readonly max_octets: number;
  private onExpired: ((partial: Assembled) => void) | undefined;
  private readonly now: () => number;

  constructor(options: ReassemblyOptions = {}) {
    this.timeout_ms = options.timeout_ms ?? 10 * 60_000;
    this.max_octets = options.max_octets ?? 16 * 1024 * 1024;
    this.onExpired = options.onExpired;
    this.now = options.now ?? (() => performance.now());
  }

  /** Memory in use: the message octets and a fixed overhead per part. */
  get octets(): number {
    return this.heldOctets;
  }

  /**
   * Returns the complete message if this PDU completes it. Returns null if parts are missing or the part is a
   * duplicate.
   */
  add(pdu: Pdu): Assembled | null {
    this.sweep();
    const part = readPart(pdu);
    if (!part) return { pdus: [pdu], body: messageBody(pdu), missing: [] };
    let entry = this.entries.get(part.key);
    const existing = entry?.parts.get(part.part);
    if (existing?.body.equals(part.body)) return null;
    // The part has a different text, or the message was already complete, so the sender has reused the reference.
    if (entry && (existing || entry.done)) {
      this.drop(entry);
      entry = undefined;
    }
    if (!entry) {
      entry = { key: part.key, since: this.now(), total: part.total, parts: new Map(), done: false };
      this.entries.set(part.key, entry);
    }
    const copy = copyPdu(pdu);
    const held = { pdu: copy, body: readPart(copy)!.body };
    entry.parts.set(part.part, held);
    this.heldOctets += weight(held);
    const message = entry.parts.size === entry.total ? assemble(entry) : null;
    if (message) entry.done = true;
    while (this.heldOctets > this.max_octets) this.drop(this.entries.values().next().value!);
    return message;
  }

  /** Drops messages that have exceeded the timeout. Also called by add(). */
  sweep(): void {
    const limit = this.now() - this.timeout_ms;
    for (const entry of this.entries.values()) {
      if (entry.since > limit) break;
      this.drop(entry);
    }
  }

  /** Drops all messages at shutdown. */
  clear(): void {
    for (const entry of this.entries.values()) this.drop(entry);
  }

  private drop(entry: Entry): void {
    this.entries.delete(entry.key);
    for (const part of entry.parts.values()) this.heldOctets -= weight(part);
    if (!entry.done) this.onExpired?.(assemble(entry));
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
