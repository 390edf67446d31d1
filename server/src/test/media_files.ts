/** Builds valid files of every kind for testing media. Tests derive invalid files from them. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { type ZipEntry, zip } from './zip.ts';

type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp';

export const picture = (format: PictureFormat, width = 64, height = 48): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#3a36c8', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    [format]()
    .toBuffer();

/** A rotated picture with an orientation tag, as produced by phones. */
export const turnedPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 80, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();

export function bitmap(width = 4, height = 3): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height, 0x7f);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(0, 6);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  file.fill(0, 30, 54);
  return file;
}

export const svg = (content = '<rect width="20" height="10" fill="#3a36c8"/>', attributes = ''): string => {
  const root = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" ${attributes}>`;
  return `<?xml version="1.0"?>\n${root}${content}</svg>\n`;
};

/** A PNG that claims huge dimensions but contains almost no data. */
export function hugePng(width: number, height: number, png: Buffer): Buffer {
  const file = Buffer.from(png);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

export const box = (name: string, ...content: readonly (Buffer | string)[]): Buffer => {
  const data = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data]);
};
/** The boxes of a video file without any frames. */
export const movie = (brand: string, ...compatible: readonly string[]): Buffer =>
  Buffer.concat([
    box('ftyp', brand, Buffer.alloc(4), ...compatible),
    box('moov', box('mvhd', Buffer.alloc(100))),
    box('mdat', Buffer.alloc(2_000, 1)),
  ]);
export const oldQuicktime = (): Buffer => Buffer.concat([box('wide'), box('mdat', Buffer.alloc(500)), box('moov')]);

export const pdf = (content = ''): string =>
  `%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n${content}\n` +
  'xref\n0 1\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

interface Part extends ZipEntry {
  /** Listed under the name of the part. Without it, the part has the type of its extension. */
  content_type?: string;
}
/** A relationship of the main part. */
interface Relation {
  type: string;
  target: string;
  external?: true;
}

export const relation = (type: string, target: string, external = false): Relation => ({
  type: type.includes(':') ? type : `${OFFICE}/${type}`,
  target,
  ...(external ? { external } : {}),
});

const relationships = (name: string, relations: readonly Relation[]): ZipEntry => ({
  name,
  data:
    `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships">` +
    relations
      .map(
        ({ type, target, external }, index) =>
          `<Relationship Id="r${index}" Type="${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
      )
      .join('') +
    '</Relationships>',
});

/** An Office document: its content types, its relationships, its main part, and more parts. */
function office(main: Required<Part>, parts: readonly Part[], relations: readonly Relation[], type: string): Buffer {
  const overrides = [main, ...parts]
    .filter(({ content_type }) => content_type)
    .map(({ name, content_type }) => `<Override PartName="/${name}" ContentType="${content_type}"/>`);
  const types =
    `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
  const own = main.name.replace(/([^/]+)$/, '_rels/$1.rels');
  return zip([
    { name: '[Content_Types].xml', data: types },
    relationships('_rels/.rels', [{ type, target: main.name }]),
    { name: main.name, data: main.data },
    ...(relations.length > 0 ? [relationships(own, relations)] : []),
    ...parts,
  ]);
}

const part = (name: string, data: string, content_type: string): Required<Part> =>
  ({ name, data, content_type }) as Required<Part>;
const DOCUMENT = part('word/document.xml', '<w:document/>', `${OPEN_XML}.wordprocessingml.document.main+xml`);
const WORKBOOK = part('xl/workbook.xml', '<workbook/>', `${OPEN_XML}.spreadsheetml.sheet.main+xml`);
const SLIDES = part('ppt/presentation.xml', '<p:p/>', `${OPEN_XML}.presentationml.presentation.main+xml`);
const PAGES = part('FixedDocSeq.fdseq', '<F/>', 'application/vnd.ms-package.xps-fixeddocumentsequence+xml');

export const docx = (...parts: readonly Part[]): Buffer => linkedDocx([], ...parts);
export const linkedDocx = (relations: readonly Relation[], ...parts: readonly Part[]): Buffer =>
  office(DOCUMENT, parts, relations, `${OFFICE}/officeDocument`);
export const workbook = (...parts: readonly Part[]): Buffer => office(WORKBOOK, parts, [], `${OFFICE}/officeDocument`);
export const slides = (...parts: readonly Part[]): Buffer => office(SLIDES, parts, [], `${OFFICE}/officeDocument`);
export const xps = (): Buffer => office(PAGES, [], [], 'http://schemas.microsoft.com/xps/2005/06/fixedrepresentation');

/** The first entry is not compressed, so its text appears in the file unchanged. */
export const openDocument = (mimetype: string, ...entries: readonly ZipEntry[]): Buffer =>
  zip([
    { name: 'mimetype', data: mimetype, stored: true },
    { name: 'content.xml', data: '<office:document-content/>' },
    ...entries,
  ]);

export const flatDocument = (content = ''): string => {
  const root = '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}${content}</office:document>\n`;
};

export const ole = (): Buffer => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]);
