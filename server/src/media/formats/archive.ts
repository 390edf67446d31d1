/**
 * Documents that are ZIP files, judged by their directory: nothing is unpacked here, and nobody downstream shall be made to unpack a bomb. Such a file
 * begins with its first entry and ends with its directory, so that it can be nothing else besides.
 */
import type { Content } from './content.ts';
import { corrupted, isUnreadable, mismatched, unsafe } from './refusal.ts';

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENCRYPTED = 1;
const SIZE_ELSEWHERE = 0xffffffff;

const MAX_ENTRIES = 10_000;
const MAX_DIRECTORY = 8 * 1024 * 1024;
const MAX_UNPACKED = 1024 * 1024 * 1024;
/** Text of office documents shrinks to a twentieth; only repetition shrinks further. */
const MAX_RATIO = 200;
const SMALL = 10 * 1024 * 1024;

interface Entry {
  name: string;
  packed: number;
  unpacked: number;
  encrypted: boolean;
  offset: number;
}

/** Where the end of a directory stands; null: this is no ZIP. */
async function directoryEnd(content: Content): Promise<{ at: number; record: Buffer } | null> {
  const start = Math.max(0, content.bytes - END_BYTES - LONGEST_COMMENT);
  const tail = await content.read(start, END_BYTES + LONGEST_COMMENT);
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (tail.readUInt32LE(at) === END) return { at: start + at, record: tail.subarray(at) };
  return null;
}

/** True when a file that is something else carries a ZIP at its end: one that opens as two things is refused. */
export async function carriesArchive(content: Content): Promise<boolean> {
  const end = await directoryEnd(content);
  if (!end) return false;
  const [count, size, offset] = [end.record.readUInt16LE(10), end.record.readUInt32LE(12), end.record.readUInt32LE(16)];
  // The offset counts from the beginning of the ZIP, wherever that is: the directory stands right before its end.
  const first = await content.read(end.at - size, 4);
  return count > 0 && size <= end.at && offset <= end.at && first.length === 4 && first.readUInt32LE(0) === ENTRY;
}

export async function entriesOf(content: Content): Promise<Entry[]> {
  const head = await content.read(0, 4);
  if (head.length < 4 || head.readUInt32LE(0) !== LOCAL) throw mismatched();
  const end = await directoryEnd(content);
  if (!end) throw corrupted();
  const { at, record } = end;
  const [count, size, offset] = [record.readUInt16LE(10), record.readUInt32LE(12), record.readUInt32LE(16)];
  if (at + END_BYTES + record.readUInt16LE(20) !== content.bytes) throw mismatched();
  if (count > MAX_ENTRIES || size > MAX_DIRECTORY) throw unsafe();
  if (offset + size !== at) throw corrupted();
  const directory = await content.read(offset, size);
  const entries: Entry[] = [];
  let position = 0;
  for (let index = 0; index < count; index++) {
    if (position + 46 > directory.length || directory.readUInt32LE(position) !== ENTRY) throw corrupted();
    const length = directory.readUInt16LE(position + 28);
    entries.push({
      name: directory.toString('utf8', position + 46, position + 46 + length),
      packed: directory.readUInt32LE(position + 20),
      unpacked: directory.readUInt32LE(position + 24),
      encrypted: (directory.readUInt16LE(position + 8) & ENCRYPTED) !== 0,
      offset: directory.readUInt32LE(position + 42),
    });
    position += 46 + length + directory.readUInt16LE(position + 30) + directory.readUInt16LE(position + 32);
  }
  demandBearable(entries, offset);
  return entries;
}

function demandBearable(entries: readonly Entry[], directory: number): void {
  let unpacked = 0;
  let packed = 0;
  const places = new Set<number>();
  for (const entry of entries) {
    if (entry.packed === SIZE_ELSEWHERE || entry.unpacked === SIZE_ELSEWHERE) throw unsafe();
    if (entry.encrypted) throw corrupted('The document is protected by a password');
    if (/(^|[\\/])\.\.([\\/]|$)|^[\\/]|\0/.test(entry.name)) throw unsafe();
    if (entry.offset >= directory) throw corrupted();
    places.add(entry.offset);
    unpacked += entry.unpacked;
    packed += entry.packed;
  }
  // Entries that share their bytes unpack to many times what a file could hold.
  if (places.size < entries.length || packed > directory) throw unsafe();
  if (unpacked > MAX_UNPACKED || (unpacked > SMALL && unpacked > packed * MAX_RATIO)) throw unsafe();
}

/** What the macros of office documents are kept in. */
const MACROS = /(^|\/)(vbaProject\.bin|vbaData\.xml)$|(^|\/)Basic\/|(^|\/)Scripts\//i;

export interface ArchiveRule {
  /** One of its entries. */
  part: RegExp;
  /** OpenDocument says what it is in the first, unpacked entry. */
  mimetype?: string;
  macros?: true;
}

export async function demandDocument(content: Content, rule: ArchiveRule): Promise<void> {
  const entries = await entriesOf(content);
  if (!entries.some(({ name }) => rule.part.test(name))) throw mismatched();
  if (!rule.macros && entries.some(({ name }) => MACROS.test(name))) throw unsafe('The document holds macros');
  if (rule.mimetype && !(await saysMimetype(content, rule.mimetype))) throw mismatched();
}

/** Of a file of any name: where it is such a document, or any ZIP, it holds none and is no bomb. */
export async function demandNoMacros(content: Content): Promise<void> {
  const entries = await entriesOf(content).catch((error: unknown) => {
    if (isUnreadable(error)) return [];
    throw error;
  });
  if (entries.some(({ name }) => MACROS.test(name))) throw unsafe('The document holds macros');
}

async function saysMimetype(content: Content, mimetype: string): Promise<boolean> {
  const head = await content.read(0, 200);
  const start = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const said = head.toString('latin1', start, start + mimetype.length);
  return head.toString('latin1', 30, 38) === 'mimetype' && head.readUInt16LE(8) === 0 && said === mimetype;
}
