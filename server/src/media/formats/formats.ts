/** The required content and the content type of each extension. The extension alone is never trusted. */
import type { ArchiveRule } from './archive.ts';
import { demandDocument } from './archive.ts';
import type { Content } from './content.ts';
import { demandDrawing } from './drawing.ts';
import { demandMovie, type MovieKind } from './movie.ts';
import { demandFlatDocument, readText } from './plain_text.ts';
import { corrupted, mismatched, unsafe } from './refusal.ts';

export interface Format {
  content_type: string;
  demand(content: Content): Promise<void>;
  /** The decoder of a picture, which also makes its thumbnail. */
  picture?: string;
  /** A video, whose thumbnail is one of its frames. */
  movie?: true;
  /** A ZIP file. */
  archive?: true;
}

type Magic = readonly [offset: number, bytes: string];
const matches = (head: Buffer, signature: readonly Magic[]): boolean =>
  signature.every(([offset, bytes]) => head.toString('latin1', offset, offset + bytes.length) === bytes);

/** The file must begin with one of the signatures. */
const demandSignature =
  (...signatures: readonly (readonly Magic[])[]) =>
  async (content: Content): Promise<void> => {
    const head = await content.read(0, 64);
    if (!signatures.some((signature) => matches(head, signature))) throw mismatched();
  };

const picture = (decoder: string, content_type: string, ...signatures: readonly (readonly Magic[])[]): Format => ({
  content_type,
  picture: decoder,
  demand: demandSignature(...signatures),
});
const movie = (content_type: string, kind: MovieKind): Format => ({
  content_type,
  movie: true,
  demand: (content) => demandMovie(content, kind),
});
const archive = (content_type: string, rule: ArchiveRule): Format => ({
  content_type,
  archive: true,
  demand: (content) => demandDocument(content, rule),
});
const office = (name: string, part: RegExp): Format =>
  archive(`application/vnd.openxmlformats-officedocument.${name}`, { part });
const text = (content_type: string): Format => ({ content_type, demand: (content) => readText(content) });

const OLE: Magic = [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
const ODT = 'application/vnd.oasis.opendocument.text';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const WORD = /^word\/document2?\.xml$/;
const ODP = 'application/vnd.oasis.opendocument.presentation';
const EXCEL = /^xl\/workbook\.(xml|bin)$/;

const jpeg = picture('jpeg', 'image/jpeg', [[0, '\xff\xd8\xff']]);
const mp4 = movie('video/mp4', 'mp4');
const threeGp = movie('video/3gpp', '3gp');
const doc: Format = { content_type: 'application/msword', demand: demandSignature([OLE]) };

export const FORMATS: Readonly<Record<string, Format>> = {
  '.jpg': jpeg,
  '.jpeg': jpeg,
  '.png': picture('png', 'image/png', [[0, '\x89PNG\r\n\x1a\n']]),
  '.gif': picture('gif', 'image/gif', [[0, 'GIF87a']], [[0, 'GIF89a']]),
  '.webp': picture('webp', 'image/webp', [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ]),
  '.bmp': { content_type: 'image/bmp', demand: demandBitmap },
  '.svg': { content_type: 'image/svg+xml', picture: 'svg', demand: demandDrawing },

  '.mp4': mp4,
  '.m4v': { ...mp4, content_type: 'video/x-m4v' },
  '.mov': movie('video/quicktime', 'mov'),
  '.3gp': threeGp,
  '.3gpp': threeGp,

  // Inbound only. No channel accepts an upload of these types.
  '.ogg': { content_type: 'audio/ogg', demand: demandSignature([[0, 'OggS']]) },
  '.mp3': {
    content_type: 'audio/mpeg',
    demand: demandSignature([[0, 'ID3']], [[0, '\xff\xfb']], [[0, '\xff\xf3']], [[0, '\xff\xf2']]),
  },
  '.m4a': { content_type: 'audio/mp4', demand: demandSignature([[4, 'ftypM4A']], [[4, 'ftypmp4']], [[4, 'ftypisom']]) },
  '.aac': { content_type: 'audio/aac', demand: demandSignature([[0, '\xff\xf1']], [[0, '\xff\xf9']]) },
  '.amr': { content_type: 'audio/amr', demand: demandSignature([[0, '#!AMR']]) },

  '.pdf': { content_type: 'application/pdf', demand: demandPdf },
  '.doc': doc,
  '.dot': doc,
  '.xls': { content_type: 'application/vnd.ms-excel', demand: demandSignature([OLE]) },
  '.docx': office('wordprocessingml.document', WORD),
  '.dotx': office('wordprocessingml.template', WORD),
  '.xlsx': office('spreadsheetml.sheet', EXCEL),
  '.xltx': office('spreadsheetml.template', EXCEL),
  '.ppt': { content_type: 'application/vnd.ms-powerpoint', demand: demandSignature([OLE]) },
  '.pptx': office('presentationml.presentation', /^ppt\/presentation\.xml$/),
  '.odp': archive(ODP, { part: /^content\.xml$/, mimetype: ODP }),
  // The only accepted extension for documents with macros.
  '.xlsm': archive('application/vnd.ms-excel.sheet.macroEnabled.12', { part: EXCEL, macros: true }),
  '.odt': archive(ODT, { part: /^content\.xml$/, mimetype: ODT }),
  '.ods': archive(ODS, { part: /^content\.xml$/, mimetype: ODS }),
  '.odf': archive('application/vnd.oasis.opendocument.formula', {
    part: /^content\.xml$/,
    mimetype: 'application/vnd.oasis.opendocument.formula',
  }),
  '.fodt': { content_type: `${ODT}-flat-xml`, demand: demandFlatDocument },
  '.fods': { content_type: `${ODS}-flat-xml`, demand: demandFlatDocument },
  '.xps': archive('application/vnd.ms-xpsdocument', { part: /\.fdseq$/i }),
  '.rtf': { content_type: 'application/rtf', demand: demandRichText },
  '.eps': { content_type: 'application/postscript', demand: demandSignature([[0, '%!PS']], [[0, '\xc5\xd0\xd3\xc6']]) },
  '.txt': text('text/plain; charset=utf-8'),
  '.info': text('text/plain; charset=utf-8'),
  '.csv': text('text/csv; charset=utf-8'),
  '.pdax': { content_type: 'application/octet-stream', demand: demandNoProgram },
};

async function demandPdf(content: Content): Promise<void> {
  await demandSignature([[0, '%PDF-']])(content);
  const tail = await content.read(Math.max(0, content.bytes - 2_048), 2_048);
  if (!tail.includes('%%EOF')) throw corrupted();
}

async function demandRichText(content: Content): Promise<void> {
  await demandSignature([[0, '{\\rtf']])(content);
  const tail = await content.read(Math.max(0, content.bytes - 64), 64);
  if (!/\}[\s\0]*$/.test(tail.toString('latin1'))) throw corrupted();
}

/** sharp does not decode bitmaps. The header states the size of the file and the offset of the pixels. */
async function demandBitmap(content: Content): Promise<void> {
  await demandSignature([[0, 'BM']])(content);
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

/** For a format without a known signature: the file must be neither a program nor a page nor another known format. */
async function demandNoProgram(content: Content): Promise<void> {
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

/** For a file of any kind: it must not be a program. */
export async function demandHarmless(content: Content, file_name: string): Promise<void> {
  const head = (await content.read(0, 8)).toString('latin1');
  if (EXECUTABLE.test(file_name) || startsWithAny(head, PROGRAMS)) throw unsafe('The file is a program');
}
