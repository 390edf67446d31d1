/**
 * Checks videos of the MP4 family (MP4, M4V, 3GP, and MOV). Their boxes fill the file exactly unless the file was cut
 * off.
 */
import type { Content } from './content.ts';
import { corrupted, mismatched } from './refusal.ts';

export type MovieKind = 'mp4' | '3gp' | 'mov';

const MP4 = /^(iso[m2-9]|mp4[12]|mp71|avc1|dash|msnv|mmp4|m4v[ hp]|3g[2egprs].|f4v )$/i;
const THREE_GP = /^3g[2egprs].$/i;
/** The first box of old QuickTime files. */
const QUICKTIME = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
const MAX_BOXES = 20_000;

export async function requireMovie(content: Content, kind: MovieKind): Promise<void> {
  const head = await content.read(0, 16);
  const first = head.toString('latin1', 4, 8);
  if (first === 'ftyp') await requireBrand(content, kind, head.readUInt32BE(0));
  else if (kind !== 'mov' || !QUICKTIME.has(first)) throw mismatched();
  const boxes = await readBoxes(content);
  if (!boxes.has('moov') || !(boxes.has('mdat') || boxes.has('moof'))) throw corrupted();
}

async function requireBrand(content: Content, kind: MovieKind, size: number): Promise<void> {
  const box = await content.read(0, Math.min(size, 512));
  const brands = [box.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= box.length; at += 4) brands.push(box.toString('latin1', at, at + 4));
  const major = brands[0]!;
  const isAllowed =
    kind === 'mov'
      ? major === 'qt  ' || MP4.test(major)
      : kind === '3gp'
        ? brands.some((brand) => THREE_GP.test(brand))
        : MP4.test(major);
  if (!isAllowed) throw mismatched();
}

async function readBoxes(content: Content): Promise<Set<string>> {
  const boxes = new Set<string>();
  let at = 0;
  for (let count = 0; at < content.bytes; count++) {
    const head = await content.read(at, 16);
    if (head.length < 8 || count > MAX_BOXES) throw corrupted();
    let size = head.readUInt32BE(0);
    if (size === 1) {
      if (head.length < 16) throw corrupted();
      size = Number(head.readBigUInt64BE(8));
    } else if (size === 0) size = content.bytes - at;
    if (size < 8 || at + size > content.bytes) throw corrupted();
    boxes.add(head.toString('latin1', 4, 8));
    at += size;
  }
  return boxes;
}
