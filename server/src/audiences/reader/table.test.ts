import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCell, csvLine } from '../../kernel/files/csv.ts';
import { DELIMITERS } from './dialect.ts';
import { buildPreview } from './preview.ts';
import { openTable, type Source, type TableOptions } from './table.ts';

/** Yields the bytes in chunks of the given size, as a disk or a network would. */
const createSource = (bytes: Uint8Array, size = 64 * 1024): Source =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size));
  };

async function readRows(bytes: Uint8Array, options: Partial<TableOptions> = {}, size?: number) {
  const table = await openTable(createSource(bytes, size), { country: null, max_rows: 100_000, ...options });
  const rows: string[][] = [];
  const lines: number[] = [];
  await table.rows((line, cells) => {
    rows.push(cells);
    lines.push(line);
  });
  return { table, rows, lines };
}
const previewFor = async (text: string | Uint8Array, options: Partial<TableOptions> = {}) =>
  buildPreview(
    await openTable(createSource(typeof text === 'string' ? Buffer.from(text) : text), {
      country: null,
      max_rows: 100_000,
      ...options,
    }),
    options.country ?? null,
  );
const guesses = (preview: Awaited<ReturnType<typeof previewFor>>) => preview.columns.map(({ guess }) => guess);

const PEOPLE = [
  ['Number', 'First name', 'Last name', 'City'],
  ['+37491123456', 'Անի', 'Grigoryan', 'Երևան'],
  ['+4915112345678', 'Jürgen', 'Müller', 'Köln'],
  ['+12025550123', 'José "Pepe"', "O'Neill, Jr.", ''],
  ['+33612345678', 'Zoë', 'Line\nbreak', 'Paris'],
];

const encoders: Record<string, (text: string) => Uint8Array> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with BOM': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16le with BOM': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
  'utf-16be with BOM': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

describe('the CSV reader', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab1+,;|\t"\'\n\r é Ж👋= '), maxLength: 12 });
  const write = (rows: readonly (readonly string[])[], delimiter: string, newline: string) =>
    rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter)).join(newline);

  test('reads quoted cells with any delimiter, line ending, and chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 5 })
          .chain((width) =>
            fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
          ),
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (people, delimiter, newline, endsWithNewline, size) => {
          const width = people[0]!.length;
          const header = ['Number', 'First name', 'B', 'C', 'D'].slice(0, width);
          const text = write([header, ...people], delimiter, newline) + (endsWithNewline ? newline : '');
          const { rows, table } = await readRows(Buffer.from(text), { delimiter }, size);
          expect(table.header).toEqual(header);
          expect(rows).toEqual(people.filter((cells) => cells.some((cell) => cell.trim() !== '')));
        },
      ),
      { numRuns: 400 },
    );
  });

  const unquoted = (text: string) => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
  test('reads exported rows back with their formulas escaped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (people) => {
          const text = [['Number', 'First name', 'Last name'], ...people].map(csvLine).join('');
          const { rows } = await readRows(Buffer.from(text));
          const expected = people.map((cells) => cells.map((cell) => unquoted(csvCell(cell))));
          expect(rows).toEqual(expected.filter((cells) => cells.some((cell) => cell.trim() !== '')));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each(Object.keys(encoders).flatMap((encoding) => DELIMITERS.map((delimiter) => [encoding, delimiter] as const)))(
    'detects the encoding %s and the delimiter %j',
    async (encoding, delimiter) => {
      for (const newline of ['\n', '\r\n']) {
        const text = write(PEOPLE, delimiter, newline);
        const { table, rows } = await readRows(encoders[encoding]!(text), {}, 777);
        expect(table).toMatchObject({
          format: 'csv',
          delimiter,
          has_header: true,
          encoding: encoding.replace(' with BOM', ''),
        });
        expect(rows).toEqual(PEOPLE.slice(1));
      }
    },
  );

  test.each([
    [
      'windows-1252',
      'Number;Prénom;Ville\n+33612345678;Zoë;Besançon\n+33612345679;François;Nîmes\n+4915112345678;Jürgen;Köln\n',
    ],
    ['windows-1251', 'Телефон;Имя;Город\n+79161234567;Александр;Новосибирск\n+79161234568;Екатерина;Владивосток\n'],
    ['koi8-r', 'Телефон;Имя;Город\n+79161234567;Александр;Новосибирск\n+79161234568;Екатерина;Владивосток\n'],
  ])('detects %s without a byte order mark by its letters', async (encoding, text) => {
    const table = new TextDecoder(encoding);
    const byLetter = new Map(Array.from({ length: 256 }, (_, byte) => [table.decode(new Uint8Array([byte])), byte]));
    const bytes = new Uint8Array([...text].map((letter) => byLetter.get(letter)!));
    const parsed = await readRows(bytes);
    expect(parsed.table.encoding).toBe(encoding);
    expect(parsed.rows).toEqual(
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(';')),
    );
    expect((await readRows(bytes, { encoding })).rows).toEqual(parsed.rows);
  });

  test('detects a byte that is not valid UTF-8 anywhere in the file', async () => {
    const text = `Number,First name\n${'+12025550123,Ann\n'.repeat(30_000)}`;
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([...Buffer.from('+12025550124,Andr'), 0xe9, 0x0a])]);
    const { table, rows } = await readRows(bytes);
    expect(table.encoding).toBe('windows-1252');
    expect(rows.at(-1)).toEqual(['+12025550124', 'André']);
  });

  test('counts blank lines and line breaks in cells in its line numbers', async () => {
    const { lines, rows } = await readRows(
      Buffer.from('Number,Name\r\n+12025550123,"two\r\nlines"\r\n\r\n,\r\n+12025550124,Bo\r\n'),
    );
    expect(rows.map(([number]) => number)).toEqual(['+12025550123', '+12025550124']);
    expect(lines).toEqual([2, 6]);
  });
});

describe('column detection', () => {
  test.each([
    ['Number,First name,Last name,custom1,custom2', ['number', 'first_name', 'last_name', 'custom1', 'custom2']],
    ['first_name,phone', ['first_name', 'number']],
    ['Vorname;Nachname;Telefon', ['first_name', 'last_name', 'number']],
    ['Prénom\tNom\tNuméro de téléphone', ['first_name', 'last_name', 'number']],
    ['MSISDN', ['number']],
    ['Имя|Фамилия|Телефон', ['first_name', 'last_name', 'number']],
    ['Անուն,Ազգանուն,Հեռախոս', ['first_name', 'last_name', 'number']],
    ['Name,Phone 1 - Value,Group', ['first_name', 'number', null]],
    ['"Mobile Phone", "E-mail"', ['number', null]],
  ])('guesses the columns from the heading %s', async (heading, expected) => {
    const delimiter = /[,;\t|]/.exec(heading)?.[0] ?? ',';
    const row = expected.map((field, index) => (field === 'number' ? '+12025550123' : `x${index}`)).join(delimiter);
    const preview = await previewFor(`${heading}\n${row}\n`);
    expect(guesses(preview)).toEqual(expected);
    expect(preview).toMatchObject({ has_header: true, row_count: 1 });
  });

  test('ignores a Number column that only counts rows in favor of the phone number column', async () => {
    const preview = await previewFor('Number,Name,Phone\n1,Ann,+12025550123\n2,Bo,+12025550124\n');
    expect(guesses(preview)).toEqual([null, 'first_name', 'number']);
  });

  test('guesses the number column in a file without headings and treats every line as a row', async () => {
    const preview = await previewFor('Ann;Lee;+1 202 555 0123\nBo;Ray;+1 202 555 0124\n');
    expect(preview).toMatchObject({
      has_header: false,
      delimiter: ';',
      row_count: 2,
      columns: [
        { name: 'Column 1', guess: null, samples: ['Ann', 'Bo'] },
        { name: 'Column 2', guess: null },
        { name: 'Column 3', guess: 'number' },
      ],
    });
  });

  test('reads a file with one number per line as a single column', async () => {
    const preview = await previewFor('+12025550123\n+12025550124\n');
    expect(preview).toMatchObject({ has_header: false, delimiter: null, row_count: 2, columns: [{ guess: 'number' }] });
  });

  test('recognizes national numbers when a default country is set', async () => {
    const preview = await previewFor('Person,Kontaktweg\nAnn,020 7946 0958\nBo,020 7946 0959\n', { country: 'GB' });
    expect(guesses(preview)).toEqual([null, 'number']);
  });

  test('makes no guesses for a file without phone numbers', async () => {
    const preview = await previewFor('City,Street\nParis,Rue Cler\nRome,Via Appia\n');
    expect(guesses(preview)).toEqual([null, null]);
  });

  test('is overridden by the chosen settings', async () => {
    const text = 'Number;a,b\n+12025550123;c,d\n';
    expect((await previewFor(text)).delimiter).toBe(';');
    const preview = await previewFor(text, { delimiter: ',', has_header: false });
    expect(preview).toMatchObject({ delimiter: ',', has_header: false, row_count: 2 });
    expect(preview.columns).toHaveLength(2);
  });

  test('uses the delimiter from a sep= line and does not read the line as a row', async () => {
    const preview = await previewFor('sep=|\r\nNumber|Name, with comma\r\n+12025550123|Ann\r\n');
    expect(preview).toMatchObject({ delimiter: '|', row_count: 1, has_header: true });
    expect(preview.columns[0]).toMatchObject({ name: 'Number', guess: 'number' });
  });
});
