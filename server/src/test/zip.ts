/** Builds ZIP and XLSX files for tests, including files with false metadata. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data: Uint8Array | string;
  /** A false size to write into the directory. */
  claimed_size?: number;
  /** Set if the sizes follow the data, as in files that were written to a stream. */
  streamed?: true;
  /** Set if the entry is not compressed. */
  stored?: true;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data as string);
    const compressed = entry.stored ? data : deflateRawSync(data);
    const name = Buffer.from(entry.name);
    const size = entry.claimed_size ?? data.length;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(compressed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const sizes = Buffer.from(fields.subarray(10, 22));
    const ahead = Buffer.from(fields);
    if (entry.streamed) {
      fields.writeUInt16LE(8, 2);
      ahead.writeUInt16LE(8, 2);
      ahead.fill(0, 10, 22);
    }
    const descriptor = entry.streamed ? Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), sizes]) : Buffer.alloc(0);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), ahead, name, compressed, descriptor]);
    const trailer = Buffer.alloc(14);
    trailer.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, trailer, name]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = [
  `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  '<Default Extension="xml" ContentType="application/xml"/>',
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  `<Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/></Types>`,
].join('');

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string => {
  const entries = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${RELS}">${entries.join('')}</Relationships>`;
};

/**
 * Builds a workbook with one sheet. `sheet` is the content of `<sheetData>`, and `strings` is the content of `<sst>`.
 */
export function xlsx(
  sheet: string,
  strings = '',
  change: (entries: ZipEntry[]) => ZipEntry[] = (entries) => entries,
): Buffer {
  return zip(
    change([
      {
        name: '[Content_Types].xml',
        data: CONTENT_TYPES,
      },
      {
        name: '_rels/.rels',
        data: relationships([['officeDocument', 'xl/workbook.xml']]),
      },
      {
        name: 'xl/workbook.xml',
        data: [
          `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">`,
          '<sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>',
        ].join(''),
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        data: relationships([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['sharedStrings', 'sharedStrings.xml'],
        ]),
      },
      { name: 'xl/sharedStrings.xml', data: `${HEAD}<sst xmlns="${MAIN}">${strings}</sst>` },
      {
        name: 'xl/worksheets/sheet1.xml',
        data: `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`,
      },
    ]),
  );
}

/** Builds a row of text cells. */
export const xlsxRow = (line: number, cells: readonly string[]): string =>
  `<row r="${line}">${cells
    .map((text, index) => `<c r="${String.fromCharCode(65 + index)}${line}" t="inlineStr"><is><t>${text}</t></is></c>`)
    .join('')}</row>`;
