/**
 * Writes rows as Apache Parquet, for data warehouses and notebooks. Columns have types: texts, counts (INT64), amounts
 * (DECIMAL with 6 decimals), and times (TIMESTAMP in UTC).
 */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { AnyExportColumn } from '@parley/contract/exports/columns.ts';
import type { SchemaElement } from 'hyparquet';

/** Rows that are compressed together. The memory of an export grows with it. */
const GROUP_ROWS = 10_000;

type Columns = readonly AnyExportColumn[];

/** The name of a column in formats for programs: its title in `snake_case`. */
export const columnName = ({ title }: AnyExportColumn): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

export async function* encodeParquet(
  columns: Columns,
  portions: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: fileSchema(columns), createdBy: 'Parley' });
  const takeBytes = () => {
    const bytes = writer.getBytes().slice();
    // The offset in the file continues to count.
    writer.index = 0;
    return bytes;
  };
  let group: unknown[] = [];
  const writeGroup = () => {
    const columnData = columns.map((column) => ({
      name: columnName(column),
      data: group.map((row) => parquetValue(column, column.value(row as never))),
      offsetIndex: false,
    }));
    group = [];
    file.write({ columnData, rowGroupSize: GROUP_ROWS });
    return takeBytes();
  };
  for await (const rows of portions) {
    group.push(...rows);
    if (group.length >= GROUP_ROWS) yield writeGroup();
  }
  if (group.length > 0) yield writeGroup();
  file.finish();
  yield takeBytes();
}

const fileSchema = (columns: Columns): SchemaElement[] => [
  { name: 'rows', num_children: columns.length },
  ...columns.map(
    (column): SchemaElement => ({ name: columnName(column), repetition_type: 'OPTIONAL', ...columnType(column) }),
  ),
];

function columnType({ isTime, number }: AnyExportColumn): Omit<SchemaElement, 'name'> {
  if (isTime) return { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' };
  if (number === 'count') return { type: 'INT64' };
  if (number === 'amount') return { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 };
  return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
}

function parquetValue({ isTime, number }: AnyExportColumn, value: string | number | null): unknown {
  if (value === null) return null;
  if (isTime) return parseTimestamp(String(value));
  if (number === 'count') return BigInt(value);
  return number === 'amount' ? value : String(value).toWellFormed();
}
