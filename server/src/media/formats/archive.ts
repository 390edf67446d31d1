/**
 * Documents that are ZIP files. The check reads only the directory and unpacks nothing; it refuses archives that would
 * unpack to too many bytes. The file must begin with its first entry and end with its directory, so that it cannot also
 * be a file in another format.
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
/** Office documents compress to about a twentieth. A much higher ratio means a ZIP bomb. */
const MAX_RATIO = 200;
const SMALL = 10 * 1024 * 1024;

interface Entry {
  name: string;
  packed: number;
  unpacked: number;
  encrypted: boolean;
  offset: number;
}

/** Finds the end record of the directory. Returns null if the file is not a ZIP. */
async function findDirectoryEnd(content: Content): Promise<{ at: number; record: Buffer } | null> {
  const start = Math.max(0, content.bytes - END_BYTES - LONGEST_COMMENT);
  const tail = await content.read(start, END_BYTES + LONGEST_COMMENT);
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (tail.readUInt32LE(at) === END) return { at: start + at, record: tail.subarray(at) };
  return null;
}

/** True if a file in another format has a ZIP at its end. Such a file is valid in two formats and is refused. */
export async function hasAppendedArchive(content: Content): Promise<boolean> {
  const end = await findDirectoryEnd(content);
  if (!end) return false;
  const [count, size, offset] = [end.record.readUInt16LE(10), end.record.readUInt32LE(12), end.record.readUInt32LE(16)];
  // The recorded offset counts from the start of the ZIP, which is unknown here, so the directory is located before its
  // end record.
  const first = await content.read(end.at - size, 4);
  return count > 0 && size <= end.at && offset <= end.at && first.length === 4 && first.readUInt32LE(0) === ENTRY;
}

async function readEntries(content: Content): Promise<Entry[]> {
  const head = await content.read(0, 4);
  if (head.length < 4 || head.readUInt32LE(0) !== LOCAL) throw mismatched();
  const end = await findDirectoryEnd(content);
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
  requireSafeSizes(entries, offset);
  return entries;
}

function requireSafeSizes(entries: readonly Entry[], directory: number): void {
  let unpacked = 0;
  let packed = 0;
  const offsets = new Set<number>();
  for (const entry of entries) {
    if (entry.packed === SIZE_ELSEWHERE || entry.unpacked === SIZE_ELSEWHERE) throw unsafe();
    if (entry.encrypted) throw corrupted('The document is password-protected');
    if (/(^|[\\/])\.\.([\\/]|$)|^[\\/]|\0/.test(entry.name)) throw unsafe();
    if (entry.offset >= directory) throw corrupted();
    offsets.add(entry.offset);
    unpacked += entry.unpacked;
    packed += entry.packed;
  }
  // Entries that share their bytes can unpack to many times the size of the file.
  if (offsets.size < entries.length || packed > directory) throw unsafe();
  if (unpacked > MAX_UNPACKED || (unpacked > SMALL && unpacked > packed * MAX_RATIO)) throw unsafe();
}

/** The entries of office documents that contain macros. */
const MACROS = /(^|\/)(vbaProject\.bin|vbaData\.xml)$|(^|\/)Basic\/|(^|\/)Scripts\//i;

export interface ArchiveRule {
  /** At least one entry must match. */
  part: RegExp;
  /** OpenDocument files state their type in the first, uncompressed entry. */
  mimetype?: string;
  macros?: true;
}

export async function requireDocument(content: Content, rule: ArchiveRule): Promise<void> {
  const entries = await readEntries(content);
  if (!entries.some(({ name }) => rule.part.test(name))) throw mismatched();
  if (!rule.macros && entries.some(({ name }) => MACROS.test(name))) throw unsafe('The document contains macros');
  if (rule.mimetype && !(await hasMimetype(content, rule.mimetype))) throw mismatched();
}

/** Runs for every file, regardless of its name. Refuses ZIP bombs and ZIP files with macros. */
export async function requireNoMacros(content: Content): Promise<void> {
  const entries = await readEntries(content).catch((error: unknown) => {
    if (isUnreadable(error)) return [];
    throw error;
  });
  if (entries.some(({ name }) => MACROS.test(name))) throw unsafe('The document contains macros');
}

async function hasMimetype(content: Content, mimetype: string): Promise<boolean> {
  const head = await content.read(0, 200);
  const start = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const stated = head.toString('latin1', start, start + mimetype.length);
  return head.toString('latin1', 30, 38) === 'mimetype' && head.readUInt16LE(8) === 0 && stated === mimetype;
}
