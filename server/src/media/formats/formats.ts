/** What a file of each extension has to be inside, and what it is called when it is handed out. An extension is never believed. */
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
  /** Decoded, and made smaller for a thumbnail: the name of the decoder. */
  picture?: string;
  /** A picture can be taken from it. */
  movie?: true;
  /** Ends with the directory of a ZIP, and must. */
  archive?: true;
}

type Sign = readonly [offset: number, bytes: string];
const matches = (head: Buffer, signs: readonly Sign[]): boolean =>
  signs.every(([offset, bytes]) => head.toString('latin1', offset, offset + bytes.length) === bytes);

/** One of the signatures. */
const begins =
  (...signatures: readonly (readonly Sign[])[]) =>
  async (content: Content): Promise<void> => {
    const head = await content.read(0, 64);
    if (!signatures.some((signs) => matches(head, signs))) throw mismatched();
  };

const picture = (decoder: string, content_type: string, ...signatures: readonly (readonly Sign[])[]): Format => ({
  content_type,
  picture: decoder,
  demand: begins(...signatures),
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

const OLE: Sign = [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
const ODT = 'application/vnd.oasis.opendocument.text';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const WORD = /^word\/document2?\.xml$/;
const ODP = 'application/vnd.oasis.opendocument.presentation';
const EXCEL = /^xl\/workbook\.(xml|bin)$/;

const jpeg = picture('jpeg', 'image/jpeg', [[0, '\xff\xd8\xff']]);
const mp4 = movie('video/mp4', 'mp4');
const threeGp = movie('video/3gpp', '3gp');
const doc: Format = { content_type: 'application/msword', demand: begins([OLE]) };

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

  // Only people send these: no rule of ours lets one be uploaded.
  '.ogg': { content_type: 'audio/ogg', demand: begins([[0, 'OggS']]) },
  '.mp3': {
    content_type: 'audio/mpeg',
    demand: begins([[0, 'ID3']], [[0, '\xff\xfb']], [[0, '\xff\xf3']], [[0, '\xff\xf2']]),
  },
  '.m4a': { content_type: 'audio/mp4', demand: begins([[4, 'ftypM4A']], [[4, 'ftypmp4']], [[4, 'ftypisom']]) },
  '.aac': { content_type: 'audio/aac', demand: begins([[0, '\xff\xf1']], [[0, '\xff\xf9']]) },
  '.amr': { content_type: 'audio/amr', demand: begins([[0, '#!AMR']]) },

  '.pdf': { content_type: 'application/pdf', demand: demandPdf },
  '.doc': doc,
  '.dot': doc,
  '.xls': { content_type: 'application/vnd.ms-excel', demand: begins([OLE]) },
  '.docx': office('wordprocessingml.document', WORD),
  '.dotx': office('wordprocessingml.template', WORD),
  '.xlsx': office('spreadsheetml.sheet', EXCEL),
  '.xltx': office('spreadsheetml.template', EXCEL),
  '.ppt': { content_type: 'application/vnd.ms-powerpoint', demand: begins([OLE]) },
  '.pptx': office('presentationml.presentation', /^ppt\/presentation\.xml$/),
  '.odp': archive(ODP, { part: /^content\.xml$/, mimetype: ODP }),
  // The one extension of the list that says of itself that it holds macros.
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
  '.eps': { content_type: 'application/postscript', demand: begins([[0, '%!PS']], [[0, '\xc5\xd0\xd3\xc6']]) },
  '.txt': text('text/plain; charset=utf-8'),
  '.info': text('text/plain; charset=utf-8'),
  '.csv': text('text/csv; charset=utf-8'),
  '.pdax': { content_type: 'application/octet-stream', demand: demandNoProgram },
};

async function demandPdf(content: Content): Promise<void> {
  await begins([[0, '%PDF-']])(content);
  const tail = await content.read(Math.max(0, content.bytes - 2_048), 2_048);
  if (!tail.includes('%%EOF')) throw corrupted();
}

async function demandRichText(content: Content): Promise<void> {
  await begins([[0, '{\\rtf']])(content);
  const tail = await content.read(Math.max(0, content.bytes - 64), 64);
  if (!/\}[\s\0]*$/.test(tail.toString('latin1'))) throw corrupted();
}

// Not decoded by sharp: its header says how long it is, and where its points begin.
async function demandBitmap(content: Content): Promise<void> {
  await begins([[0, 'BM']])(content);
  const head = await content.read(0, 26);
  if (head.length < 26) throw corrupted();
  const [size, points] = [head.readUInt32LE(2), head.readUInt32LE(10)];
  if (size > content.bytes || points >= content.bytes || points < 26) throw corrupted();
  const { width, height } = bitmapSize(head);
  if (width <= 0 || height <= 0) throw corrupted();
}

export function bitmapSize(head: Buffer): { width: number; height: number } {
  const old = head.readUInt32LE(14) === 12;
  return old
    ? { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
    : { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

const PROGRAMS = ['MZ', '\x7fELF', '#!/', '#! /', '\xca\xfe\xba\xbe', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe'];
const OTHERS = ['#!', 'PK\x03\x04', '\xd0\xcf\x11\xe0'];
const begun = (head: string, signs: readonly string[]): boolean => signs.some((sign) => head.startsWith(sign));

/** No sign of its own is known of this kind; what a machine would run, or a browser show, it is not. */
async function demandNoProgram(content: Content): Promise<void> {
  const head = (await content.read(0, 1_024)).toString('latin1');
  if (begun(head, PROGRAMS) || begun(head, OTHERS)) throw mismatched();
  if (/^\s*(<!doctype html|<html|<script|<svg|<\?php)/i.test(head)) throw mismatched();
}

/** What opens as a program where it is opened at all. */
const RUNS =
  /\.(?:exe|com|scr|pif|cpl|msi|msix|bat|cmd|ps1|vbs?|vbe|js|jse|wsf|wsh|hta|jar|lnk|reg|scf|url|apk|app|dmg|pkg|deb|rpm|run|sh|desktop)$/i;

/** Of any kind, known or not: what may be kept for somebody to open. */
export async function demandHarmless(content: Content, file_name: string): Promise<void> {
  const head = (await content.read(0, 8)).toString('latin1');
  if (RUNS.test(file_name) || begun(head, PROGRAMS)) throw unsafe('The file is a program');
}
