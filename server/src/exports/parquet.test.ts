import { EXPORT_COLUMNS } from '@parley/contract/exports/columns.ts';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { encodeParquet } from './parquet.ts';

type Row = Record<string, unknown>;

async function write(columns: Parameters<typeof encodeParquet>[0], portions: Row[][]): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  async function* read() {
    yield* portions;
  }
  for await (const chunk of encodeParquet(columns, read())) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

const ledger = EXPORT_COLUMNS.ledger as unknown as Parameters<typeof encodeParquet>[0];
const entry = (change: Row = {}): Row => ({
  ...{ kind: 'charge', debit: 'customer', credit: 'sales', amount_micros: 7_500, available_after_micros: -1 },
  ...{ held_after_micros: null, message_count: 3, note: 'Grüße \u{1f44b}', create_date: '2026-07-01 20:30:59' },
  ...change,
});

test('a file has typed columns, exact amounts, and times in UTC', async () => {
  const file = await write(ledger, [[entry(), entry({ amount_micros: 123_456_789_012, note: 'lone \ud83d' })]]);
  const [first, second] = await parquetReadObjects({ file });
  expect(first).toEqual({
    ...{ entry: 'charge', from: 'customer', to: 'sales', amount: 0.0075, balance: -0.000001, reserved: null },
    ...{ messages: 3n, note: 'Grüße \u{1f44b}', date: new Date('2026-07-01T20:30:59Z') },
  });
  expect(second).toMatchObject({ amount: 123_456.789012, note: 'lone \ufffd' });
});

test('a long file has several groups of rows, and an empty one none', async () => {
  const portions = Array.from({ length: 26 }, (_, at) =>
    Array.from({ length: 1_000 }, (_, n) => entry({ message_count: at * 1_000 + n, note: null })),
  );
  const file = await write(ledger, portions);
  expect(parquetMetadata(file).row_groups.map(({ num_rows }) => num_rows)).toEqual([10_000n, 10_000n, 6_000n]);
  const rows = await parquetReadObjects({ file });
  expect(rows.map(({ messages }) => messages)).toEqual(Array.from({ length: 26_000 }, (_, n) => BigInt(n)));
  expect(await parquetReadObjects({ file: await write(ledger, []) })).toEqual([]);
});
