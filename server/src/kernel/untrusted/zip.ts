/**
 * Reads the directory of a ZIP file, for documents and spreadsheets. Nothing is unpacked, and an archive that would
 * unpack to too many bytes is refused. Programs disagree about ambiguous archives, so every entry must be unambiguous:
 * its name is unique, its local header agrees with the directory, and no two entries share bytes. The file begins with
 * its first entry and ends with its directory, so that it cannot also be a file in another format.
 */
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 0xffff;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** A ZIP64 entry stores its sizes elsewhere. */
const SIZE_ELSEWHERE = 0xffffffff;

const MB = 1024 * 1024;
const MAX_DIRECTORY = 8 * MB;
/** Documents compress to about a twentieth. A much higher ratio means a ZIP bomb. */
const MAX_RATIO = 200;
const SMALL = 10 * MB;

/** A file that is read in parts. */
export interface Bytes {
  readonly bytes: number;
  /** Returns fewer bytes at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

export const inMemory = (data: Uint8Array): Bytes => ({
  bytes: data.length,
  read: async (start, length) => Buffer.from(data.buffer, data.byteOffset, data.length).subarray(start, start + length),
});

export interface ZipEntry {
  name: string;
  packed: number;
  unpacked: number;
  offset: number;
  is_stored: boolean;
}

type ZipFault = 'not_zip' | 'damaged' | 'encrypted' | 'too_many_entries' | 'too_large' | 'unsafe';

export class ZipError extends Error {
  readonly fault: ZipFault;
  constructor(fault: ZipFault) {
    super(`the ZIP file is not acceptable: ${fault}`);
    this.fault = fault;
  }
}

interface ZipLimits {
  entries: number;
  /** Throws the error for an entry that is too large when unpacked. */
  unpacked: number;
}

/** Finds the end record of the directory. Returns null if the file is not a ZIP. */
async function findDirectoryEnd(file: Bytes): Promise<{ at: number; record: Buffer } | null> {
  const start = Math.max(0, file.bytes - END_BYTES - LONGEST_COMMENT);
  const tail = await file.read(start, END_BYTES + LONGEST_COMMENT);
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (tail.readUInt32LE(at) === END) return { at: start + at, record: tail.subarray(at) };
  return null;
}

/** True if a file in another format has a ZIP at its end. Such a file is valid in two formats. */
export async function hasAppendedZip(file: Bytes): Promise<boolean> {
  const end = await findDirectoryEnd(file);
  if (!end) return false;
  const [count, size, offset] = [end.record.readUInt16LE(10), end.record.readUInt32LE(12), end.record.readUInt32LE(16)];
  // The recorded offset counts from the start of the ZIP, which is unknown here, so the directory is located before its
  // end record.
  const first = await file.read(end.at - size, 4);
  return count > 0 && size <= end.at && offset <= end.at && first.length === 4 && first.readUInt32LE(0) === ENTRY;
}

export async function readZip(file: Bytes, limits: ZipLimits): Promise<ZipEntry[]> {
  const head = await file.read(0, 4);
  if (head.length < 4 || head.readUInt32LE(0) !== LOCAL) throw new ZipError('not_zip');
  const end = await findDirectoryEnd(file);
  if (!end) throw new ZipError('damaged');
  const { at, record } = end;
  const [count, size, offset] = [record.readUInt16LE(10), record.readUInt32LE(12), record.readUInt32LE(16)];
  if (at + END_BYTES + record.readUInt16LE(20) !== file.bytes) throw new ZipError('not_zip');
  if (count > limits.entries || size > MAX_DIRECTORY) throw new ZipError('too_many_entries');
  if (offset + size !== at) throw new ZipError('damaged');
  const directory = await file.read(offset, size);
  const entries: ZipEntry[] = [];
  let position = 0;
  for (let index = 0; index < count; index++) {
    if (position + ENTRY_BYTES > directory.length) throw new ZipError('damaged');
    const { entry, next } = readEntry(directory, position);
    entries.push(entry);
    position = next;
  }
  if (position !== directory.length) throw new ZipError('damaged');
  requireSafeEntries(entries, offset, limits);
  for (const entry of entries) await requireSameHeader(file, entry);
  return entries;
}

function readEntry(directory: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (directory.readUInt32LE(at) !== ENTRY) throw new ZipError('damaged');
  if (directory.readUInt16LE(at + 8) & ENCRYPTED) throw new ZipError('encrypted');
  const method = directory.readUInt16LE(at + 10);
  if (method !== STORED && method !== DEFLATED) throw new ZipError('damaged');
  const length = directory.readUInt16LE(at + 28);
  const nameEnd = at + ENTRY_BYTES + length;
  const next = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  if (next > directory.length) throw new ZipError('damaged');
  const entry = {
    name: directory.toString('utf8', at + ENTRY_BYTES, nameEnd),
    packed: directory.readUInt32LE(at + 20),
    unpacked: directory.readUInt32LE(at + 24),
    offset: directory.readUInt32LE(at + 42),
    is_stored: method === STORED,
  };
  return { entry, next };
}

function requireSafeEntries(entries: readonly ZipEntry[], directory: number, limits: ZipLimits): void {
  let unpacked = 0;
  let packed = 0;
  const names = new Set<string>();
  for (const entry of entries) {
    if (entry.packed === SIZE_ELSEWHERE || entry.unpacked === SIZE_ELSEWHERE) throw new ZipError('too_large');
    // An empty entry that is compressed takes two bytes.
    if (entry.unpacked === 0 && entry.packed > 2) throw new ZipError('damaged');
    if (entry.is_stored && entry.packed !== entry.unpacked) throw new ZipError('damaged');
    if (/(^|[\\/])\.\.([\\/]|$)|^[\\/]|\0/.test(entry.name)) throw new ZipError('unsafe');
    // The names of document parts are not case-sensitive.
    names.add(entry.name.toLowerCase());
    unpacked += entry.unpacked;
    packed += entry.packed;
  }
  if (names.size < entries.length) throw new ZipError('unsafe');
  if (unpacked > limits.unpacked) throw new ZipError('too_large');
  if (unpacked > SMALL && unpacked > packed * MAX_RATIO) throw new ZipError('too_large');
  // Entries that share their bytes can unpack to many times the size of the file.
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [index, { offset, packed: size }] of ordered.entries())
    if (offset + LOCAL_BYTES + size > (ordered[index + 1]?.offset ?? directory)) throw new ZipError('unsafe');
}

async function requireSameHeader(file: Bytes, { offset, name, is_stored }: ZipEntry): Promise<void> {
  const head = await file.read(offset, LOCAL_BYTES + Buffer.byteLength(name));
  if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL) throw new ZipError('damaged');
  const length = head.readUInt16LE(26);
  const method = is_stored ? STORED : DEFLATED;
  if (head.readUInt16LE(8) !== method || head.toString('utf8', LOCAL_BYTES, LOCAL_BYTES + length) !== name)
    throw new ZipError('unsafe');
}

/** Unpacks one entry. An entry that is larger than the directory states, or than the limit, is refused. */
export async function unpackEntry(file: Bytes, entry: ZipEntry, max_bytes: number): Promise<Buffer> {
  if (entry.unpacked > max_bytes) throw new ZipError('too_large');
  const head = await file.read(entry.offset, LOCAL_BYTES);
  const start = entry.offset + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await file.read(start, entry.packed);
  if (entry.is_stored) return packed;
  const unpacked = await inflate(packed, { maxOutputLength: entry.unpacked + 1 }).catch(() => {
    throw new ZipError('damaged');
  });
  if (unpacked.length !== entry.unpacked) throw new ZipError('damaged');
  return unpacked;
}
