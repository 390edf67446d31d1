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

const TYPES: ZipEntry = { name: '[Content_Types].xml', data: '<?xml version="1.0"?><Types/>' };
export const docx = (...entries: readonly ZipEntry[]): Buffer =>
  zip([TYPES, { name: 'word/document.xml', data: '<w:document/>' }, ...entries]);
export const workbook = (...entries: readonly ZipEntry[]): Buffer =>
  zip([TYPES, { name: 'xl/workbook.xml', data: '<workbook/>' }, ...entries]);
export const slides = (...entries: readonly ZipEntry[]): Buffer =>
  zip([TYPES, { name: 'ppt/presentation.xml', data: '<p:presentation/>' }, ...entries]);
export const xps = (): Buffer => zip([TYPES, { name: 'FixedDocSeq.fdseq', data: '<FixedDocumentSequence/>' }]);

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
