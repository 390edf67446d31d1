/**
 * Files of every kind, valid and hostile, each with its expected result. The tests for rules and uploads cover the
 * limits on sizes and names.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem, problemCode } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as files from '../../test/media_files.ts';
import { zip } from '../../test/zip.ts';
import { type Inspected, inspect } from './inspect.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-media-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Bytes = Buffer | string;
type Made = Bytes | (() => Bytes | Promise<Bytes>);
let count = 0;

async function inspectBytes(name: string, source: Made): Promise<Omit<Inspected, 'path'> | number> {
  const path = join(folder, `${++count}.part`);
  await writeFile(path, typeof source === 'function' ? await source() : source);
  try {
    const { path: stored, ...result } = await inspect({ account_id: 'a', verified: true }, path, name);
    expect([path, `${path}.svg`]).toContain(stored);
    return { ...result, thumbnail: result.thumbnail && 'drawn' };
  } catch (error) {
    if (error instanceof Problem) return problemCode(error.name);
    throw error;
  } finally {
    for (const name of await readdir(folder)) await rm(join(folder, name));
  }
}

const ODT = 'application/vnd.oasis.opendocument.text';
const expectedImage = (content_type: string, width = 64, height = 48) => ({
  content_type,
  width,
  height,
  thumbnail: 'drawn',
});
const plain = (content_type: string) => ({ content_type, width: null, height: null, thumbnail: null });
const OFFICE = 'application/vnd.openxmlformats-officedocument';

describe('file inspection', () => {
  test.each<[string, string, Made, object]>([
    ['a JPEG', 'a.jpg', () => files.picture('jpeg'), expectedImage('image/jpeg')],
    ['a JPEG with an uppercase name', 'HOLIDAY.JPEG', () => files.picture('jpeg'), expectedImage('image/jpeg')],
    ['a rotated photo', 'a.jpg', files.turnedPicture, expectedImage('image/jpeg', 40, 80)],
    ['a PNG', 'a.png', () => files.picture('png'), expectedImage('image/png')],
    ['a GIF', 'a.gif', () => files.picture('gif'), expectedImage('image/gif')],
    ['a WebP', 'a.webp', () => files.picture('webp'), expectedImage('image/webp')],
    ['a BMP', 'a.bmp', files.bitmap(), { ...plain('image/bmp'), width: 4, height: 3 }],
    ['an SVG', 'a.svg', files.svg(), expectedImage('image/svg+xml', 20, 10)],
    [
      'an SVG with internal references',
      'a.svg',
      files.svg('<defs><linearGradient id="g"/></defs><rect width="9" height="9" fill="url(#g)"/><use href = "#g"/>'),
      expectedImage('image/svg+xml', 20, 10),
    ],
    ['an MP4', 'a.mp4', files.movie('isom', 'mp41'), plain('video/mp4')],
    ['an M4V', 'a.m4v', files.movie('M4V ', 'mp42'), plain('video/x-m4v')],
    ['a 3GP', 'a.3gp', files.movie('3gp5'), plain('video/3gpp')],
    ['a 3GPP with a different major brand', 'a.3gpp', files.movie('isom', '3gp4'), plain('video/3gpp')],
    ['a MOV', 'a.mov', files.movie('qt  '), plain('video/quicktime')],
    ['an old QuickTime MOV', 'a.mov', files.oldQuicktime(), plain('video/quicktime')],
    ['a PDF', 'a.pdf', files.pdf(), plain('application/pdf')],
    ['a DOCX', 'a.docx', files.docx(), plain(`${OFFICE}.wordprocessingml.document`)],
    ['a DOTX', 'a.dotx', files.docx(), plain(`${OFFICE}.wordprocessingml.template`)],
    ['an XLSX', 'a.xlsx', files.workbook(), plain(`${OFFICE}.spreadsheetml.sheet`)],
    ['an XLTX', 'a.xltx', files.workbook(), plain(`${OFFICE}.spreadsheetml.template`)],
    [
      'an XLSM with its macros',
      'a.xlsm',
      files.workbook({ name: 'xl/vbaProject.bin', data: 'x' }),
      plain('application/vnd.ms-excel.sheet.macroEnabled.12'),
    ],
    [
      'a DOCX with a link that a reader can click',
      'a.docx',
      files.linkedDocx([files.relation('hyperlink', 'https://example.com/', true)]),
      plain(`${OFFICE}.wordprocessingml.document`),
    ],
    ['an ODT', 'a.odt', files.openDocument(ODT), plain(ODT)],
    [
      'an ODS',
      'a.ods',
      files.openDocument('application/vnd.oasis.opendocument.spreadsheet'),
      plain('application/vnd.oasis.opendocument.spreadsheet'),
    ],
    [
      'an ODF',
      'a.odf',
      files.openDocument('application/vnd.oasis.opendocument.formula'),
      plain('application/vnd.oasis.opendocument.formula'),
    ],
    ['a flat ODT', 'a.fodt', files.flatDocument('<office:body/>'), plain(`${ODT}-flat-xml`)],
    ['an XPS', 'a.xps', files.xps(), plain('application/vnd.ms-xpsdocument')],
    ['an old DOC', 'a.doc', files.ole(), plain('application/msword')],
    ['an old XLS', 'a.xls', files.ole(), plain('application/vnd.ms-excel')],
    ['an old PPT', 'a.ppt', files.ole(), plain('application/vnd.ms-powerpoint')],
    ['a PPTX', 'a.pptx', files.slides(), plain(`${OFFICE}.presentationml.presentation`)],
    [
      'an ODP',
      'a.odp',
      files.openDocument('application/vnd.oasis.opendocument.presentation'),
      plain('application/vnd.oasis.opendocument.presentation'),
    ],
    ['an RTF document', 'a.rtf', '{\\rtf1\\ansi Hello}\r\n', plain('application/rtf')],
    ['a PostScript file', 'a.eps', '%!PS-Adobe-3.0 EPSF-3.0\n', plain('application/postscript')],
    ['text in four scripts', 'a.txt', 'Привет, բարեւ, مرحبا, hello 👋\n', plain('text/plain; charset=utf-8')],
    ['a CSV table', 'a.csv', '\ufeffName,Number\r\nAnn,1\r\n', plain('text/csv; charset=utf-8')],
    ['an INFO file', 'a.info', 'This is info\n', plain('text/plain; charset=utf-8')],
    [
      'a file in a format without a signature',
      'a.pdax',
      Buffer.from([1, 2, 3, 250]),
      plain('application/octet-stream'),
    ],
  ])('accepts %s and detects its type', async (_, name, source, expected) => {
    expect(await inspectBytes(name, source)).toEqual(expected);
  });
});

const half = (file: Buffer): Buffer => file.subarray(0, Math.floor(file.length / 2));
const withArchive = (file: Bytes): Buffer => Buffer.concat([Buffer.from(file as string), files.docx()]);
/** Builds an archive in which every entry unpacks the same bytes to 10 MB. */
function overlapping(times: number): Buffer {
  const archive = zip([{ name: 'word/document.xml', data: Buffer.alloc(10 * 1024 * 1024) }]);
  const end = archive.length - 22;
  const directory = archive.readUInt32LE(end + 16);
  const entry = archive.subarray(directory, end);
  const tail = Buffer.from(archive.subarray(end));
  tail.writeUInt16LE(times, 8);
  tail.writeUInt16LE(times, 10);
  tail.writeUInt32LE(entry.length * times, 12);
  return Buffer.concat([archive.subarray(0, directory), ...Array<Buffer>(times).fill(entry), tail]);
}

/** Renames the first local header, so that programs that read the file from its start see another name. */
function renamed(archive: Buffer): Buffer {
  archive.write('x', 31, 'latin1');
  return archive;
}

describe('file inspection', () => {
  const CORRUPTED = 1908;
  const MISMATCHED = 1909;
  const UNSAFE = 1916;
  const ACTIVE = 1917;
  test.each<[string, string, Made, number]>([
    ['a truncated JPEG', 'a.jpg', async () => half(await files.picture('jpeg', 400, 300)), CORRUPTED],
    [
      'a JPEG without its last bytes',
      'a.jpg',
      async () => (await files.picture('jpeg', 400, 300)).subarray(0, -200),
      CORRUPTED,
    ],
    ['a truncated PNG', 'a.png', async () => half(await files.picture('png', 400, 300)), CORRUPTED],
    ['a file with only the start of a JPEG', 'a.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), CORRUPTED],
    [
      'a 10-gigapixel picture',
      'a.png',
      async () => files.hugePng(100_000, 100_000, await files.picture('png')),
      CORRUPTED,
    ],
    ['a PNG with a .jpg extension', 'a.jpg', () => files.picture('png'), MISMATCHED],
    ['a WebP with a .png extension', 'a.png', () => files.picture('webp'), MISMATCHED],
    ['audio in a WebP container', 'a.webp', Buffer.from('RIFF....WAVEfmt '), MISMATCHED],
    ['an HTML page with a .jpg extension', 'a.jpg', '<!DOCTYPE html><script>alert(1)</script>', MISMATCHED],
    ['a program with a .png extension', 'a.png', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), MISMATCHED],
    ['a GIF that is also a script', 'a.gif', 'GIF89a=1;alert(document.cookie)//', CORRUPTED],
    ['a JPEG that is also a ZIP', 'a.jpg', async () => withArchive(await files.picture('jpeg')), MISMATCHED],
    ['a PDF that is also a ZIP', 'a.pdf', withArchive(files.pdf()), MISMATCHED],
    ['a truncated BMP', 'a.bmp', half(files.bitmap(40, 40)), CORRUPTED],
    ['a BMP with zero width', 'a.bmp', files.bitmap(0, 5), CORRUPTED],

    ['an SVG with a script', 'a.svg', files.svg('<script>alert(1)</script>'), ACTIVE],
    [
      'an SVG with a prefixed script element',
      'a.svg',
      files.svg('<s.v:script xmlns:s.v="http://www.w3.org/2000/svg">1</s.v:script>'),
      ACTIVE,
    ],
    ['an SVG with an onload handler', 'a.svg', files.svg('', 'onload="alert(1)"'), ACTIVE],
    [
      'an SVG with an event handler right after an attribute',
      'a.svg',
      files.svg(`<rect x='1'onclick='alert(1)'/>`),
      CORRUPTED,
    ],
    ['an SVG with embedded HTML', 'a.svg', files.svg('<foreignObject><p/></foreignObject>'), ACTIVE],
    ['an SVG with an external picture', 'a.svg', files.svg('<image href="https://evil.example/a.png"/>'), ACTIVE],
    ['an SVG with a disguised link', 'a.svg', files.svg('<a href="&#106;avascript:alert(1)"/>'), ACTIVE],
    [
      'an SVG that loads an external resource',
      'a.svg',
      files.svg('<style>*{fill:url( "https://evil.example/x" )}</style>'),
      ACTIVE,
    ],
    ['an SVG with an embedded SVG', 'a.svg', files.svg('<image href="data:image/svg+xml,%3Csvg/%3E"/>'), ACTIVE],
    [
      'an SVG with a script near a chunk boundary',
      'a.svg',
      () => files.svg(`${'<g/>'.repeat(262_144 / 4 - 30)}<script>1</script>${'<g/>'.repeat(1_000)}`),
      ACTIVE,
    ],
    [
      'an SVG with expanding entities',
      'a.svg',
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>' +
        '<svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
      ACTIVE,
    ],
    ['an HTML page with an .svg extension', 'a.svg', '<html><svg/></html>', MISMATCHED],
    ['a truncated SVG', 'a.svg', files.svg().slice(0, -12), CORRUPTED],
    ['an SVG in UTF-16', 'a.svg', Buffer.from(`\ufeff${files.svg()}`, 'utf16le'), MISMATCHED],

    ['a truncated MP4', 'a.mp4', half(files.movie('isom')), CORRUPTED],
    ['an MP4 with trailing bytes', 'a.mp4', Buffer.concat([files.movie('isom'), Buffer.from('junk')]), CORRUPTED],
    ['an MP4 with only one box', 'a.mp4', files.movie('isom').subarray(0, 16), CORRUPTED],
    ['a picture in an MP4 container', 'a.mp4', files.movie('heic', 'mif1'), MISMATCHED],
    ['an MP4 with a .3gp extension', 'a.3gp', files.movie('isom', 'mp42'), MISMATCHED],
    ['a MOV with an .mp4 extension', 'a.mp4', files.movie('qt  '), MISMATCHED],
    ['a playlist with an .mp4 extension', 'a.mp4', '#EXTM3U\nfile:///etc/passwd\n', MISMATCHED],
    ['a Matroska video with an .mp4 extension', 'a.mp4', Buffer.from('1a45dfa3a3428681', 'hex'), MISMATCHED],

    ['a truncated PDF', 'a.pdf', files.pdf('x'.repeat(5_000)).slice(0, 3_000), CORRUPTED],
    ['a PDF with leading bytes', 'a.pdf', `MZ\n${files.pdf()}`, MISMATCHED],
    ['an HTML page with a .pdf extension', 'a.pdf', '<html></html>', MISMATCHED],
    ['a truncated RTF document', 'a.rtf', '{\\rtf1\\ansi Hel', CORRUPTED],
    ['a DOCX with a .doc extension', 'a.doc', files.docx(), MISMATCHED],
    ['an XLSX with a .docx extension', 'a.docx', files.workbook(), MISMATCHED],
    ['a DOCX with macros', 'a.docx', files.docx({ name: 'word/vbaProject.bin', data: 'x' }), UNSAFE],
    [
      'a DOCX with a renamed macro part',
      'a.docx',
      files.docx({ name: 'word/theme.bin', data: 'x', content_type: 'application/vnd.ms-office.vbaProject' }),
      UNSAFE,
    ],
    [
      'a DOCX with a macro part that only a relationship reveals',
      'a.docx',
      files.linkedDocx(
        [files.relation('http://schemas.microsoft.com/office/2006/relationships/vbaProject', 'theme.xml')],
        { name: 'word/theme.xml', data: 'x' },
      ),
      UNSAFE,
    ],
    [
      'a DOCX that loads an external template',
      'a.docx',
      files.linkedDocx([files.relation('attachedTemplate', 'https://evil.example/a.dotm', true)]),
      UNSAFE,
    ],
    [
      'a DOCX whose main part is a document with macros',
      'a.docx',
      files.docx({
        name: 'word/other.xml',
        data: 'x',
        content_type: 'application/vnd.ms-word.document.macroEnabled.main+xml',
      }),
      UNSAFE,
    ],
    ['a DOCX that lists a part twice', 'a.docx', files.docx({ name: 'WORD/Document.xml', data: 'x' }), UNSAFE],
    ['a DOCX whose local header has another name', 'a.docx', () => renamed(files.docx()), UNSAFE],
    [
      'a ZIP with the parts of a DOCX and no content types',
      'a.docx',
      zip([{ name: 'word/document.xml', data: 'x' }]),
      MISMATCHED,
    ],
    ['an ODT with macros', 'a.odt', files.openDocument(ODT, { name: 'Basic/Standard/Module1.xml', data: 'x' }), UNSAFE],
    ['an ODT that declares a different type', 'a.odt', files.openDocument('application/epub+zip'), MISMATCHED],
    ['a flat ODT with macros', 'a.fodt', files.flatDocument('<office:script script:language="ooo:Basic"/>'), UNSAFE],
    [
      'a flat ODT with macros under a different prefix',
      'a.fodt',
      files.flatDocument('<o:script xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>'),
      UNSAFE,
    ],
    ['a truncated DOCX', 'a.docx', half(files.docx()), CORRUPTED],
    ['a DOCX with leading bytes', 'a.docx', Buffer.concat([Buffer.from('#!/bin/sh\n'), files.docx()]), MISMATCHED],
    ['a DOCX with trailing bytes', 'a.docx', Buffer.concat([files.docx(), Buffer.from('<script>')]), MISMATCHED],
    ['a ZIP bomb', 'a.docx', () => files.docx({ name: 'word/x.xml', data: Buffer.alloc(64 * 1024 * 1024) }), UNSAFE],
    [
      'a ZIP bomb that declares its size',
      'a.docx',
      files.docx({ name: 'word/x.xml', data: 'x', claimed_size: 3_000_000_000 }),
      UNSAFE,
    ],
    ['a ZIP bomb that lists one entry many times', 'a.docx', () => overlapping(400), UNSAFE],
    [
      'a DOCX with too many entries',
      'a.docx',
      () => files.docx(...Array.from({ length: 10_001 }, (_, n) => ({ name: `word/${n}`, data: '' }))),
      UNSAFE,
    ],
    [
      'a DOCX with an entry outside its folder',
      'a.docx',
      files.docx({ name: '../../etc/cron.d/x', data: 'x' }),
      UNSAFE,
    ],
    ['text with a NUL character', 'a.txt', 'Hello\0world', MISMATCHED],
    ['text that is not UTF-8', 'a.csv', Buffer.from([0x41, 0xff, 0xfe, 0x80]), MISMATCHED],
    [
      'a program with the extension of a format without a signature',
      'a.pdax',
      Buffer.from('\x7fELF\x02\x01', 'latin1'),
      MISMATCHED,
    ],
    ['an HTML page with the extension of a format without a signature', 'a.pdax', ' <!DOCTYPE html>', MISMATCHED],
    ['a file in an unknown format', 'a.html', '<p>', MISMATCHED],
    ['a DOCM', 'a.docm', files.docx(), MISMATCHED],
  ])('rejects %s', async (_, name, source, expected) => {
    expect(await inspectBytes(name, source)).toBe(expected);
  });
});
