/**
 * Documents that are ZIP files. An Office document is judged by its content types and relationships, because they
 * decide what an office program does with a part; the name of the part does not.
 */
import { readZip, unpackEntry, type ZipEntry, ZipError } from '../../kernel/untrusted/zip.ts';
import type { Content } from './content.ts';
import { requireSafePackage } from './package.ts';
import { corrupted, isUnreadable, mismatched, unsafe } from './refusal.ts';

const LIMITS = { entries: 10_000, unpacked: 1024 * 1024 * 1024 };

/** Turns the faults of a ZIP file into problems. */
async function asProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    if (error.fault === 'not_zip') throw mismatched();
    if (error.fault === 'damaged') throw corrupted();
    if (error.fault === 'encrypted') throw corrupted('The document is password-protected');
    throw unsafe();
  }
}

const readEntries = (content: Content): Promise<ZipEntry[]> => asProblem(readZip(content, LIMITS));

/** Office programs find the macros of OpenDocument files by these names. */
const MACROS = /(^|\/)(vbaProject\.bin|vbaData\.xml)$|(^|\/)Basic\/|(^|\/)Scripts\//i;

export interface ArchiveRule {
  /** The content types that the main part of an Office document may have. */
  main?: RegExp;
  /** OpenDocument files state their type in the first, uncompressed entry. */
  mimetype?: string;
  macros?: true;
}

export async function requireDocument(content: Content, rule: ArchiveRule): Promise<void> {
  const entries = await readEntries(content);
  if (rule.mimetype) {
    if (!entries.some(({ name }) => name === 'content.xml') || !(await hasMimetype(content, rule.mimetype)))
      throw mismatched();
  }
  if (!rule.macros) requireNoMacroNames(entries);
  if (rule.main) {
    const read = (entry: ZipEntry, max_bytes: number) => asProblem(unpackEntry(content, entry, max_bytes));
    const main = await requireSafePackage(entries, read, { macros: rule.macros ?? false });
    if (!rule.main.test(main)) throw mismatched();
  }
}

function requireNoMacroNames(entries: readonly ZipEntry[]): void {
  if (entries.some(({ name }) => MACROS.test(name))) throw unsafe('The document contains macros');
}

/** Runs for every file, regardless of its name. Refuses ZIP bombs and documents with macros. */
export async function requireNoMacros(content: Content): Promise<void> {
  try {
    const entries = await readEntries(content);
    requireNoMacroNames(entries);
    const read = (entry: ZipEntry, max_bytes: number) => asProblem(unpackEntry(content, entry, max_bytes));
    await requireSafePackage(entries, read, { macros: false });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

async function hasMimetype(content: Content, mimetype: string): Promise<boolean> {
  const head = await content.read(0, 200);
  const start = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const stated = head.toString('latin1', start, start + mimetype.length);
  return head.toString('latin1', 30, 38) === 'mimetype' && head.readUInt16LE(8) === 0 && stated === mimetype;
}
