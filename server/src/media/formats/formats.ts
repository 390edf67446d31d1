/** The required content and the content type of each extension. The extension alone is never trusted. */
import type { ArchiveRule } from './archive.ts';
import { requireDocument } from './archive.ts';
import type { Content } from './content.ts';
import { type MovieKind, requireMovie } from './movie.ts';
import { readText, requireFlatDocument } from './plain_text.ts';
import { corrupted, mismatched, unsafe } from './refusal.ts';

export interface Format {
  content_type: string;
  verify(content: Content): Promise<void>;
  /** The decoder of a picture, which also makes its thumbnail. For a drawing, it also checks and cleans the content. */
  picture?: string;
  /** True for a video. Its thumbnail is one of its frames. */
  movie?: true;
  /** True for a ZIP file. */
  archive?: true;
}

type Magic = readonly [offset: number, bytes: string];
const matches = (head: Buffer, signature: readonly Magic[]): boolean =>
  signature.every(([offset, bytes]) => head.toString('latin1', offset, offset + bytes.length) === bytes);

/** The file must begin with one of the signatures. */
const requireSignature =
  (...signatures: readonly (readonly Magic[])[]) =>
  async (content: Content): Promise<void> => {
    const head = await content.read(0, 64);
    if (!signatures.some((signature) => matches(head, signature))) throw mismatched();
  };

const picture = (decoder: string, content_type: string, ...signatures: readonly (readonly Magic[])[]): Format => ({
  content_type,
  picture: decoder,
  verify: requireSignature(...signatures),
});
const movie = (content_type: string, kind: MovieKind): Format => ({
  content_type,
  movie: true,
  verify: (content) => requireMovie(content, kind),
});
const archive = (content_type: string, rule: ArchiveRule): Format => ({
  content_type,
  archive: true,
  verify: (content) => requireDocument(content, rule),
});
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
/** Programs store the same document as a template or a document, so a rule accepts either. */
const office = (name: string, kind: string): Format =>
  archive(`${OFFICE}${name}`, { main: new RegExp(`openxmlformats-officedocument\\.${kind}\\.main\\+xml$`) });
const text = (content_type: string): Format => ({ content_type, verify: (content) => readText(content) });

const OLE: Magic = [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
const ODT = 'application/vnd.oasis.opendocument.text';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const WORD = 'wordprocessingml\\.(?:document|template)';
const ODP = 'application/vnd.oasis.opendocument.presentation';
const EXCEL = 'spreadsheetml\\.(?:sheet|template)';
const POWERPOINT = 'presentationml\\.(?:presentation|template|slideshow)';
const MACRO_WORKBOOK = /spreadsheetml\.sheet\.main\+xml$|ms-excel\.(?:sheet|template)\.macroEnabled\.main\+xml$/;

const jpeg = picture('jpeg', 'image/jpeg', [[0, '\xff\xd8\xff']]);
const mp4 = movie('video/mp4', 'mp4');
const threeGp = movie('video/3gpp', '3gp');
const doc: Format = { content_type: 'application/msword', verify: requireSignature([OLE]) };

export const FORMATS: Readonly<Record<string, Format>> = {
  '.jpg': jpeg,
  '.jpeg': jpeg,
  '.png': picture('png', 'image/png', [[0, '\x89PNG\r\n\x1a\n']]),
  '.gif': picture('gif', 'image/gif', [[0, 'GIF87a']], [[0, 'GIF89a']]),
  '.webp': picture('webp', 'image/webp', [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ]),
  '.bmp': { content_type: 'image/bmp', verify: requireBitmap },
  '.svg': { content_type: 'image/svg+xml', picture: 'svg', verify: async () => {} },

  '.mp4': mp4,
  '.m4v': { ...mp4, content_type: 'video/x-m4v' },
  '.mov': movie('video/quicktime', 'mov'),
  '.3gp': threeGp,
  '.3gpp': threeGp,

  // Inbound only. No channel accepts an upload of these types.
  '.ogg': { content_type: 'audio/ogg', verify: requireSignature([[0, 'OggS']]) },
  '.mp3': {
    content_type: 'audio/mpeg',
    verify: requireSignature([[0, 'ID3']], [[0, '\xff\xfb']], [[0, '\xff\xf3']], [[0, '\xff\xf2']]),
  },
  '.m4a': {
    content_type: 'audio/mp4',
    verify: requireSignature([[4, 'ftypM4A']], [[4, 'ftypmp4']], [[4, 'ftypisom']]),
  },
  '.aac': { content_type: 'audio/aac', verify: requireSignature([[0, '\xff\xf1']], [[0, '\xff\xf9']]) },
  '.amr': { content_type: 'audio/amr', verify: requireSignature([[0, '#!AMR']]) },

  '.pdf': { content_type: 'application/pdf', verify: requirePdf },
  '.doc': doc,
  '.dot': doc,
  '.xls': { content_type: 'application/vnd.ms-excel', verify: requireSignature([OLE]) },
  '.docx': office('wordprocessingml.document', WORD),
  '.dotx': office('wordprocessingml.template', WORD),
  '.xlsx': office('spreadsheetml.sheet', EXCEL),
  '.xltx': office('spreadsheetml.template', EXCEL),
  '.ppt': { content_type: 'application/vnd.ms-powerpoint', verify: requireSignature([OLE]) },
  '.pptx': office('presentationml.presentation', POWERPOINT),
  '.odp': archive(ODP, { mimetype: ODP }),
  // The only accepted extension for documents with macros.
  '.xlsm': archive('application/vnd.ms-excel.sheet.macroEnabled.12', { main: MACRO_WORKBOOK, macros: true }),
  '.odt': archive(ODT, { mimetype: ODT }),
  '.ods': archive(ODS, { mimetype: ODS }),
  '.odf': archive('application/vnd.oasis.opendocument.formula', {
    mimetype: 'application/vnd.oasis.opendocument.formula',
  }),
  '.fodt': { content_type: `${ODT}-flat-xml`, verify: requireFlatDocument },
  '.fods': { content_type: `${ODS}-flat-xml`, verify: requireFlatDocument },
  '.xps': archive('application/vnd.ms-xpsdocument', { main: /fixeddocumentsequence\+xml$/ }),
  '.rtf': { content_type: 'application/rtf', verify: requireRichText },
  '.eps': {
    content_type: 'application/postscript',
    verify: requireSignature([[0, '%!PS']], [[0, '\xc5\xd0\xd3\xc6']]),
  },
  '.txt': text('text/plain; charset=utf-8'),
  '.info': text('text/plain; charset=utf-8'),
  '.csv': text('text/csv; charset=utf-8'),
  '.pdax': { content_type: 'application/octet-stream', verify: requireNoProgram },
};

async function requirePdf(content: Content): Promise<void> {
  await requireSignature([[0, '%PDF-']])(content);
  const tail = await content.read(Math.max(0, content.bytes - 2_048), 2_048);
  if (!tail.includes('%%EOF')) throw corrupted();
}

async function requireRichText(content: Content): Promise<void> {
  await requireSignature([[0, '{\\rtf']])(content);
  const tail = await content.read(Math.max(0, content.bytes - 64), 64);
  if (!/\}[\s\0]*$/.test(tail.toString('latin1'))) throw corrupted();
}

/** sharp does not decode bitmaps. The header states the size of the file and the offset of the pixels. */
async function requireBitmap(content: Content): Promise<void> {
  await requireSignature([[0, 'BM']])(content);
  const head = await content.read(0, 26);
  if (head.length < 26) throw corrupted();
  const [size, offset] = [head.readUInt32LE(2), head.readUInt32LE(10)];
  if (size > content.bytes || offset >= content.bytes || offset < 26) throw corrupted();
  const { width, height } = bitmapSize(head);
  if (width <= 0 || height <= 0) throw corrupted();
}

export function bitmapSize(head: Buffer): { width: number; height: number } {
  const isOs2 = head.readUInt32LE(14) === 12;
  return isOs2
    ? { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
    : { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

const PROGRAMS = ['MZ', '\x7fELF', '#!/', '#! /', '\xca\xfe\xba\xbe', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe'];
const OTHERS = ['#!', 'PK\x03\x04', '\xd0\xcf\x11\xe0'];
const startsWithAny = (head: string, signatures: readonly string[]): boolean =>
  signatures.some((signature) => head.startsWith(signature));

/**
 * Checks formats without a known signature: the file must not be a program, a page, or a file in another known format.
 */
async function requireNoProgram(content: Content): Promise<void> {
  const head = (await content.read(0, 1_024)).toString('latin1');
  if (startsWithAny(head, PROGRAMS) || startsWithAny(head, OTHERS)) throw mismatched();
  if (/^\s*(<!doctype html|<html|<script|<svg|<\?php)/i.test(head)) throw mismatched();
}

/** Extensions that an operating system runs as a program. */
const EXECUTABLE = new RegExp(
  `\\.(?:${[
    'exe|com|scr|pif|cpl|msi|msix|bat|cmd|ps1|vbs?|vbe|js|jse|wsf|wsh|hta|jar|lnk|reg|scf|url',
    'apk|app|dmg|pkg|deb|rpm|run|sh|desktop',
  ].join('|')})$`,
  'i',
);

/** Runs for files of every kind: a file must not be a program. */
export async function requireHarmless(content: Content, file_name: string): Promise<void> {
  const head = (await content.read(0, 8)).toString('latin1');
  if (EXECUTABLE.test(file_name) || startsWithAny(head, PROGRAMS)) throw unsafe('The file is a program');
}
