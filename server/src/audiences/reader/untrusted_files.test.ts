/** Previews the file in the reader process and returns the preview or the problem. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Problem, problemCode } from '@parley/contract/problem.ts';
import { describe, expect, test } from 'vitest';
import { xlsx, xlsxRow, type ZipEntry, zip } from '../../test/zip.ts';
import type { Preview } from './preview.ts';
import { runTask } from './reader.ts';

async function readUntrusted(
  bytes: Uint8Array | string,
  limit_ms = 20_000,
): Promise<Preview | { code: number; message: string }> {
  const data = Buffer.from(bytes as string);
  try {
    return await runTask(
      { kind: 'preview', options: { country: 'US', max_rows: 100_000 } },
      { tenant: { account_id: 'a', verified: true }, open: async () => Readable.from(pieces(data)), limit_ms },
    );
  } catch (error) {
    if (error instanceof Problem) return { code: problemCode(error.name), message: error.message };
    throw error;
  }
}
function* pieces(data: Buffer) {
  for (let at = 0; at < data.length; at += 65_536) yield data.subarray(at, at + 65_536);
}

const rows = (count: number, line = '+12025550123,Ann\n') => `Number,First name\n${line.repeat(count)}`;
const two = [xlsxRow(1, ['Number', 'First name']), xlsxRow(2, ['+12025550123', 'Ann'])].join('');
const claiming = (name: string, claimed_size: number) => (entries: ZipEntry[]) =>
  entries.map((entry) => (entry.name === name ? { ...entry, claimed_size } : entry));
/** Flips one bit in the compressed data. */
function damaged(file: Buffer): Buffer {
  const at = file.indexOf('xl/worksheets/sheet1.xml') + 60;
  file[at] = file[at]! ^ 4;
  return file;
}
const SHEET = 'xl/worksheets/sheet1.xml';
const STRINGS = 'xl/sharedStrings.xml';

describe('the file reader', () => {
  test.each<[string, Uint8Array | string, number, RegExp]>([
    ['an empty file', '', 7912, /empty/],
    ['a file with only a byte order mark', '\ufeff', 7912, /empty/],
    ['a file with only line breaks and spaces', ' \r\n\r\n \n', 7912, /empty/],
    ['a file with only headings', 'Number,First name\r\n', 7912, /no contacts/],
    ['a file with only headings and empty rows', 'Number,First name\r\n,\r\n ,\r\n', 7912, /no contacts/],
    ['a file with only a sep= line', 'sep=;\r\n', 7912, /empty/],
    ['an image', Buffer.from('89504e470d0a1a0a0000000d49484452000001', 'hex'), 1316, /could not be read/],
    ['a PDF', '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n', 1316, /could not be read/],
    ['a gzip file', gzipSync(rows(50)), 1316, /could not be read/],
    ['an HTML page', '<!DOCTYPE html><table><tr><td>+12025550123</td></tr></table>', 1316, /could not be read/],
    ['an XML file', '<?xml version="1.0"?><rows/>', 1316, /could not be read/],
    ['a JSON file', '[{"number": "+12025550123"}]', 1316, /could not be read/],
    ['text with NUL bytes', `Number,Name\n+1202555\0\0\0,Ann\n`, 1316, /could not be read/],
    ['a legacy Excel file', Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'), 1316, /Save the file as XLSX or CSV/],
    [
      'a ZIP file that is not a spreadsheet',
      zip([{ name: 'word/document.xml', data: '<w:document/>' }]),
      1316,
      /could not be read/,
    ],
    ['a truncated spreadsheet', xlsx(two).subarray(0, 700), 1316, /could not be read/],
    ['a ZIP file cut off after its signature', Buffer.from('504b0304', 'hex'), 1316, /could not be read/],
    ['a spreadsheet with a damaged sheet', damaged(xlsx(two)), 1316, /could not be read/],
    ['an empty spreadsheet', xlsx(''), 7912, /empty/],
    ['a spreadsheet with only headings', xlsx(xlsxRow(1, ['Number'])), 7912, /no contacts/],
    ['a file with an unknown delimiter', 'Number^First name\n+12025550123^Ann\n', 1312, /could not be detected/],
    [
      'a file with commas in the heading and semicolons in the rows',
      'Number,Name\n+12025550123;Ann\n+12025550124;Bo\n',
      1312,
      /could not be detected/,
    ],
    [
      'a file with 51 columns',
      `${'a,'.repeat(49)}Number,z\n${'x,'.repeat(49)}+12025550123,z\n`,
      1314,
      /too many columns/,
    ],
    [
      'a spreadsheet with 51 columns',
      xlsx(`<row r="1">${'<c t="inlineStr"><is><t>a</t></is></c>'.repeat(51)}</row>`),
      1314,
      /columns/,
    ],
    [
      'a file with an unclosed quotation mark',
      'Number,Name\n+12025550123,"Ann\n+12025550124,Bo\n',
      7912,
      /line 2 is never closed/,
    ],
    [
      'a file with a quotation mark that swallows the next rows',
      'Number,Name\n+12025550123,"Ann\n+12025550124,Bo\n+12025550125,"Cy"\n',
      7912,
      /line 2 is never closed/,
    ],
    ['a file with a 1 MB line', `Number,Name\n+12025550123,Ann\n${'x'.repeat(1_000_000)}`, 7912, /Line 3 is too long/],
    ['a file with a 1 MB cell', `Number,Name\n+12025550123,"${'x\n'.repeat(500_000)}"`, 7912, /line 2/],
    ['a file with 100,001 rows', rows(100_001), 1315, /100,000 rows/],
  ])('rejects %s with a reason', async (_, bytes, code, message) => {
    expect(await readUntrusted(bytes)).toEqual({ code, message: expect.stringMatching(message) });
  });
});

describe('the file reader with malicious files', () => {
  const big = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, 'x');
  test.each<[string, () => Uint8Array, RegExp]>([
    ['an 80 MB string table', () => xlsx(two, `<si><t>${big(80)}</t></si>`), /too large/],
    [
      'an 80 MB string table with a false size',
      () => xlsx(two, `<si><t>${big(80)}</t></si>`, claiming(STRINGS, 500)),
      /could not be read/,
    ],
    ['a sheet with a declared size of 4 GB', () => xlsx(two, '', claiming(SHEET, 0xfffffffe)), /too large/],
    ['a sheet with a declared size of zero', () => xlsx(two, '', claiming(SHEET, 0)), /could not be read/],
    [
      'a row with seven million cells',
      () => xlsx(`<row r="1">${'<c><v>1</v></c>'.repeat(7_000_000)}</row>`),
      /memory|could not|too (long|large)/,
    ],
    [
      'a ZIP file with ten thousand parts',
      () => zip(Array.from({ length: 10_000 }, (_, index) => ({ name: `xl/${index}.xml`, data: '' }))),
      /too many parts/,
    ],
  ])(
    'rejects %s and keeps the process running',
    async (_, make, message) => {
      const bytes = make();
      // The files of a worker share its memory, so only the growth shows how much memory reading uses.
      const before = process.memoryUsage().rss;
      expect(await readUntrusted(bytes, 8_000)).toEqual({ code: 1316, message: expect.stringMatching(message) });
      expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
      // The next file can still be read.
      expect(await readUntrusted(rows(3))).toMatchObject({ row_count: 3 });
    },
    60_000,
  );

  test.each<[string, string]>([
    ['numbers that are none', '+++,not a number, 12\n'],
    ['open quotes, NUL bytes, and emoji', '\u{1F4A9}",;\t\u0000 x,\n'],
  ])('refuses a million rows with %s, and keeps the process running', async (_, row) => {
    const before = process.memoryUsage().rss;
    const refusal = await readUntrusted(`Number,First name\n${row.repeat(1_000_000)}`);
    expect([1315, 1316]).toContain((refusal as { code: number }).code);
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
    expect(await readUntrusted(rows(3))).toMatchObject({ row_count: 3 });
  });

  test('does not expand nested entities', async () => {
    const entities = [
      ['a', 'ha'],
      ['b', '&a;'],
      ['c', '&b;'],
    ]
      .map(([name, text]) => `<!ENTITY ${name} "${text!.repeat(500)}">`)
      .join('');
    const laughing = xlsx(two, '', (entries) =>
      entries.map((entry) =>
        entry.name === SHEET
          ? {
              ...entry,
              data: `<!DOCTYPE x [${entities}]>${String(entry.data).replace('Ann', '&c;')}`,
            }
          : entry,
      ),
    );
    const preview = await readUntrusted(laughing);
    expect('code' in preview ? preview.code : preview.sample_rows[0]![1]!.length).toSatisfy(
      (value: number) => value === 1316 || value < 100,
    );
  });

  test('rejects a file that takes too long to read', async () => {
    expect(await readUntrusted(rows(90_000), 1)).toEqual({ code: 1316, message: 'Reading the file took too long' });
  });
});

describe('the file reader with unusual files', () => {
  const first = async (bytes: Uint8Array | string) => {
    const preview = await readUntrusted(bytes);
    if ('code' in preview) throw new Error(preview.message);
    return {
      rows: preview.row_count,
      first: preview.sample_rows[0],
      guesses: preview.columns.map(({ guess }) => guess),
    };
  };

  test.each<[string, Uint8Array | string, string[]]>([
    [
      'emoji and letters from several scripts',
      'Number,First name\n+12025550123,👩‍👩‍👧 Ünï 王\n',
      ['+12025550123', '👩‍👩‍👧 Ünï 王'],
    ],
    ['classic Mac line endings', 'Number,First name\r+12025550123,Ann\r', ['+12025550123', 'Ann']],
    ['no line break at the end', 'Number,First name\n+12025550123,Ann', ['+12025550123', 'Ann']],
    ['a delimiter at the end of every line', 'Number,First name,\n+12025550123,Ann,\n', ['+12025550123', 'Ann', '']],
    ['spaces around quotes', 'Number, "First name"\n"+12025550123" , "Ann"\n', ['+12025550123', 'Ann']],
    ['a quote inside a word', 'Number,First name\n+12025550123,5" Ann\n', ['+12025550123', '5" Ann']],
    [
      'direction marks and non-breaking spaces',
      'Number,\u200fFirst\u00a0name\n\u202a+12025550123\u202c,Ann\n',
      ['\u202a+12025550123\u202c', 'Ann'],
    ],
    ['control characters', 'Number,First name\n+12025550123,A\u0007nn\u001b[31m\n', ['+12025550123', 'A nn [31m']],
    ['a short row', 'Number,First name\n+12025550123\n+12025550124,Bo\n', ['+12025550123']],
    ['a number that a spreadsheet rounded', 'Number,First name\n1.4155E+10,Ann\n', ['1.4155E+10', 'Ann']],
    [
      'half a surrogate pair in UTF-16',
      Buffer.from('\ufeffNumber,First name\n+12025550123,A\ud800n\n', 'utf16le'),
      ['+12025550123', 'A\ufffdn'],
    ],
    ['a line break in a heading', '"Number","First\nname"\n+12025550123,Ann\n', ['+12025550123', 'Ann']],
  ])('accepts %s', async (_, bytes, expected) => {
    const preview = await first(bytes);
    expect(preview.first).toEqual(expected);
    expect(preview.guesses.slice(0, 2)).toEqual(['number', 'first_name']);
  });

  test('turns spreadsheet cells of every type into text and skips empty rows', async () => {
    const sheet = [
      xlsxRow(1, ['Number', 'First name', 'Last name', 'When', 'Yes']),
      '<row r="3"><c r="A3"><v>12025550123</v></c><c r="B3" t="s"><v>0</v></c>',
      '<c r="D3"><v>1.5</v></c><c r="E3" t="b"><v>1</v></c></row>',
      '<row r="4"></row>',
      '<row r="7"><c r="A7"><v>1.2025550124E10</v></c><c r="B7" t="str"><v>_xD800_Bo</v></c>',
      '<c r="C7" t="e"><v>#N/A</v></c></row>',
    ].join('');
    const preview = await readUntrusted(xlsx(sheet, '<si><r><t>An</t></r><r><t>na</t></r></si>'));
    expect(preview).toMatchObject({
      format: 'xlsx',
      row_count: 2,
      columns: [{ guess: 'number' }, { guess: 'first_name' }, { guess: 'last_name' }, { guess: null }, { guess: null }],
      sample_rows: [
        ['12025550123', 'Anna', '', '1.5', 'TRUE'],
        ['12025550124', '\ufffdBo', '#N/A'],
      ],
    });
  });

  test('accepts exactly 100,000 rows or 50 columns', async () => {
    expect(await first(rows(100_000))).toMatchObject({ rows: 100_000 });
    const wideFile = `${'a,'.repeat(49)}Number\n${'x,'.repeat(49)}+12025550123\n`;
    expect((await first(wideFile)).guesses[49]).toBe('number');
  });
});
