/**
 * Reads the same contacts from the spreadsheets of different programs, to check the library that unpacks them. The
 * files of openpyxl and XlsxWriter are in the folder `corpus`. The others are built here with the parts, namespaces,
 * and cell types that the program writes.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ZipEntry, zip } from '../../test/zip.ts';
import { readXlsxRows } from './xlsx.ts';

async function readRows(file: Buffer): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { cells } of readXlsxRows(file, 100)) rows.push(cells);
  return rows;
}

const HEADER = ['Number', 'First name', 'Last name', 'City', 'Born', 'Score', 'Member'];
const CONTACTS = [
  HEADER,
  ['+12025550101', 'Ann', "O'Neill & Söhne", 'Reno, NV', '1990-05-17', '1.5', 'TRUE'],
  ['12025550102', '王 小明', '', 'Zürich <ZH>', '2001-02-03 04:05:06', '-3', 'FALSE'],
  ['+12025550103', '  Bo ', 'Line\nbreak'],
];

describe('a file by openpyxl or XlsxWriter', () => {
  test.each([
    ['openpyxl', [['+12025550104', '', '', 'Bonn']]],
    ['openpyxl_write_only', []],
    ['xlsxwriter', [['+12025550104', 'Cy', '', 'Bonn']]],
    ['xlsxwriter_constant_memory', []],
  ])('is read completely when it comes from %s', async (name, more) => {
    const file = readFileSync(new URL(`./corpus/${name}.xlsx`, import.meta.url));
    expect(await readRows(file)).toEqual([...CONTACTS, ...more]);
  });
});

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const OPEN_XML = 'http://schemas.openxmlformats.org';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const TRANSITIONAL = {
  main: `${OPEN_XML}/spreadsheetml/2006/main`,
  office: `${OPEN_XML}/officeDocument/2006/relationships`,
};
const STRICT = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  office: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};

interface Book {
  names?: typeof TRANSITIONAL;
  /** Attributes and elements of the workbook. */
  attributes?: string;
  properties?: string;
  sheets: string;
  /** The target of each relationship of the workbook, by its id. */
  targets: Record<string, [type: string, target: string]>;
  parts: Record<string, string>;
  streamed?: true;
}

function book({
  names = TRANSITIONAL,
  attributes = '',
  properties = '',
  sheets,
  targets,
  parts,
  streamed,
}: Book): Buffer {
  const relations = (all: Book['targets']) =>
    `${XML}<Relationships xmlns="${OPEN_XML}/package/2006/relationships">${Object.entries(all)
      .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${names.office}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`;
  const entries: Record<string, string> = {
    '[Content_Types].xml':
      `${XML}<Types xmlns="${OPEN_XML}/package/2006/content-types">` +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/></Types>`,
    '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml':
      `${XML}<workbook xmlns="${names.main}" xmlns:r="${names.office}" ${attributes}>${properties}` +
      `<sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(targets),
    ...parts,
  };
  return zip(
    Object.entries(entries).map(([name, data]): ZipEntry => ({ name, data, ...(streamed ? { streamed } : {}) })),
  );
}

const sheet = (rows: string, names = TRANSITIONAL, attributes = ''): string =>
  `${XML}<worksheet xmlns="${names.main}" ${attributes}><sheetData>${rows}</sheetData></worksheet>`;
const strings = (items: string, names = TRANSITIONAL): string => `${XML}<sst xmlns="${names.main}">${items}</sst>`;
const styles = (formats: readonly number[], names = TRANSITIONAL): string =>
  `${XML}<styleSheet xmlns="${names.main}"><numFmts count="1">` +
  '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><cellXfs>' +
  `${formats.map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`;

const EXCEL = {
  attributes:
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x15" xmlns:x15="urn:x15"',
  // The first sheet of the workbook is not the first file.
  sheets: '<sheet name="People" sheetId="7" r:id="rId9"/><sheet name="Other" sheetId="1" r:id="rId1"/>',
  targets: {
    rId1: ['worksheet', 'worksheets/sheet1.xml'],
    rId3: ['styles', 'styles.xml'],
    rId4: ['sharedStrings', 'sharedStrings.xml'],
    rId9: ['worksheet', 'worksheets/sheet2.xml'],
  },
} satisfies Partial<Book>;
const excelParts = (born: string, names = TRANSITIONAL) => ({
  'xl/worksheets/sheet1.xml': sheet('<row r="1"><c r="A1"><v>1</v></c></row>', names),
  'xl/worksheets/sheet2.xml': sheet(
    '<row r="1" spans="1:3" x14ac:dyDescent="0.25"><c r="A1" s="0" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>' +
      '<c r="C1" t="s"><v>2</v></c></row><row r="2" spans="1:3"><c r="A2"><v>12025550102</v></c>' +
      `<c r="B2" t="s"><v>3</v></c><c r="C2" s="1"><v>${born}</v></c></row>` +
      '<row r="3"><c r="A3"><v>1.2025550103E10</v></c><c r="B3" t="str"><f>UPPER("bo")</f><v>BO</v></c>' +
      '<c r="C3" t="e"><v>#N/A</v></c></row>',
    names,
    'xmlns:x14ac="urn:x14ac"',
  ),
  'xl/styles.xml': styles([0, 14], names),
  'xl/sharedStrings.xml': strings(
    '<si><t>Number</t></si><si><r><rPr><b/></rPr><t xml:space="preserve">First </t></r><r><t>name</t></r></si>' +
      '<si><t>Born</t></si><si><t>王</t><rPh sb="0" eb="1"><t>オウ</t></rPh><phoneticPr fontId="1"/></si>',
    names,
  ),
});
const EXCEL_ROWS = [
  ['Number', 'First name', 'Born'],
  ['12025550102', '王', '1990-05-17'],
  ['12025550103', 'BO', '#N/A'],
];

describe('a file written by', () => {
  test('Excel is read from the first sheet of the workbook, without phonetic guides', async () => {
    expect(await readRows(book({ ...EXCEL, parts: excelParts('33010') }))).toEqual(EXCEL_ROWS);
  });

  test('Excel for Mac is read with dates that count from 1904', async () => {
    const properties = '<workbookPr date1904="1"/>';
    expect(await readRows(book({ ...EXCEL, properties, parts: excelParts('31548') }))).toEqual(EXCEL_ROWS);
  });

  test('Excel in its strict format is read', async () => {
    expect(await readRows(book({ ...EXCEL, names: STRICT, parts: excelParts('33010', STRICT) }))).toEqual(EXCEL_ROWS);
  });

  test('LibreOffice is read with its row attributes, formulas, and repeated empty cells', async () => {
    const row = (line: number, cells: string) =>
      `<row r="${line}" customFormat="false" ht="12.8" hidden="false" customHeight="false">${cells}</row>`;
    const file = book({
      properties: '<fileVersion appName="Calc"/><workbookPr backupFile="false" showObjects="all" date1904="false"/>',
      sheets: '<sheet name="People" sheetId="1" state="visible" r:id="rId3"/>',
      targets: {
        rId2: ['styles', 'styles.xml'],
        rId3: ['worksheet', 'worksheets/sheet1.xml'],
        rId4: ['sharedStrings', 'sharedStrings.xml'],
      },
      parts: {
        'xl/worksheets/sheet1.xml': sheet(
          row(
            1,
            '<c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="0" t="s"><v>1</v></c><c r="C1" s="0" t="s"><v>2</v></c>',
          ) +
            row(
              2,
              '<c r="A2" s="0" t="n"><v>12025550101</v></c><c r="B2" s="0"/><c r="C2" s="1" t="n">' +
                '<v>36925.1701</v></c>',
            ) +
            row(
              4,
              '<c r="A4" t="n"><v>5</v></c><c r="B4" t="str"><f aca="false">"A"&amp;"b"</f><v>Ab</v></c>' +
                '<c r="C4" t="b"><v>1</v></c>',
            ),
        ),
        'xl/styles.xml': styles([0, 164]),
        'xl/sharedStrings.xml': strings(
          '<si><t xml:space="preserve">Number</t></si><si><t xml:space="preserve"> First</t></si><si><t>When</t></si>',
        ),
      },
    });
    const rows = await readRows(file);
    expect(rows[0]).toEqual(['Number', ' First', 'When']);
    expect(rows[1]!.slice(0, 2)).toEqual(['12025550101', '']);
    expect(rows[1]![2]).toMatch(/^2001-02-03 04:04:5\d$/);
    expect(rows[2]).toEqual(['5', 'Ab', 'TRUE']);
  });

  test('Google Sheets is read although the sizes of its parts follow their data', async () => {
    const file = book({
      streamed: true,
      sheets: '<sheet state="visible" name="People" sheetId="1" r:id="rId4"/>',
      targets: {
        rId2: ['styles', 'styles.xml'],
        rId3: ['sharedStrings', 'sharedStrings.xml'],
        rId4: ['worksheet', 'worksheets/sheet1.xml'],
      },
      parts: {
        'xl/worksheets/sheet1.xml': sheet(
          '<row r="1"><c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="0" t="s"><v>1</v></c></row>' +
            '<row r="2"><c r="A2" s="0"><v>1.2025550101E10</v></c><c r="B2" s="0" t="str">' +
            '<f>"A"&amp;"nn"</f><v>Ann</v></c></row>' +
            '<row r="3"><c r="A3" s="0" t="s"><v>2</v></c></row>',
        ),
        'xl/styles.xml': styles([0]),
        'xl/sharedStrings.xml': strings('<si><t>Number</t></si><si><t>Name</t></si><si><t>+1 202-555-0102</t></si>'),
      },
    });
    expect(await readRows(file)).toEqual([['Number', 'Name'], ['12025550101', 'Ann'], ['+1 202-555-0102']]);
  });
});
