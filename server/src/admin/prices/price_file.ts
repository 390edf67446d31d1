/**
 * Reads a price list: a CSV file with a header and one price per line. Every line is checked before any price changes.
 */
import { Readable } from 'node:stream';
import { MAX_PRICE_LINES, type PriceDifference } from '@parley/contract/admin/prices.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { isCountry } from '@parley/contract/country.ts';
import { PURPOSES } from '@parley/contract/messages/content.ts';
import { Problem } from '@parley/contract/problem.ts';
import { runTask } from '../../audiences/audiences.ts';
import { readCsv } from '../../kernel/files/csv_reader.ts';
import type { Tenant } from '../../kernel/untrusted/fair_slots.ts';

export type PriceKey = Omit<PriceDifference, 'before_micros' | 'after_micros'>;
export type PriceRow = PriceKey & { price_micros: number };

export interface PriceList {
  rows: PriceRow[];
  problems: { line: number; text: string }[];
}

const MAX_UNITS = 10_000;
/** More than an import takes, so that a longer file is refused with the number of its lines. */
const MAX_SHEET_ROWS = 4 * MAX_PRICE_LINES;
const SHEET_MS = 30_000;

/** Identifies the destination of a price. */
export const priceKey = ({ channel, country, mccmnc, purpose, currency }: PriceKey): string =>
  [channel, country, mccmnc ?? '', purpose ?? '', currency].join(' ');

interface Line {
  line: number;
  cells: readonly string[];
}

/** Reads CSV. Throws PRICE_LIST_UNREADABLE if the text is not CSV or has no usable header. */
export function readPriceList(text: string): PriceList {
  const table = readCsv(text);
  if (!table) throw unreadable('A quoted cell in the file is not closed');
  return readPriceLines(table);
}

const FILE_FAULTS = new Set<string>(['IMPORT_FILE_UNREADABLE', 'IMPORT_COLUMNS_LIMIT_EXCEEDED']);

/** Reads an XLSX file in a process of its own. Throws PRICE_LIST_UNREADABLE. */
export async function readPriceSheet(data: Uint8Array, tenant: Tenant): Promise<PriceList> {
  const open = async () => Readable.from([data]);
  const rows = await runTask({ kind: 'sheet', max_rows: MAX_SHEET_ROWS }, { tenant, open, limit_ms: SHEET_MS }).catch(
    (error: unknown) => {
      throw error instanceof Problem && FILE_FAULTS.has(error.name) ? unreadable(error.message) : error;
    },
  );
  return readPriceLines(rows);
}

function readPriceLines(table: readonly Line[]): PriceList {
  const [header, ...lines] = table;
  const names = (header?.cells ?? []).map((name) => name.toLowerCase());
  const absent = ['country', 'currency', 'price'].filter((name) => !names.includes(name));
  if (absent.length > 0) throw unreadable(`The first line must name the columns. Missing: ${absent.join(', ')}.`);
  if (lines.length === 0) throw unreadable('The file has no prices');
  if (lines.length > MAX_PRICE_LINES)
    throw unreadable(`The file has ${lines.length} lines. An import can have at most ${MAX_PRICE_LINES}.`);
  const rows: PriceRow[] = [];
  const problems: PriceList['problems'] = [];
  const seen = new Map<string, number>();
  for (const { line, cells } of lines) {
    const row = readRow((name) => cells[names.indexOf(name)] ?? '');
    if (typeof row === 'string') problems.push({ line, text: row });
    else {
      const key = priceKey(row);
      const earlier = seen.get(key);
      if (earlier === undefined) rows.push(row);
      else problems.push({ line, text: `The same destination as in line ${earlier}` });
      seen.set(key, earlier ?? line);
    }
  }
  return { rows, problems };
}

const unreadable = (message: string) => new Problem('PRICE_LIST_UNREADABLE', { message });

const includes = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word);

/** Returns the price, or the reason why the line has none. */
function readRow(cell: (name: string) => string): PriceRow | string {
  const channel = cell('channel').toUpperCase() || PHONE_CHANNEL;
  const country = cell('country').toUpperCase();
  const mccmnc = cell('network') || null;
  const purpose = cell('purpose').toLowerCase() || null;
  const currency = cell('currency').toUpperCase();
  const price_micros = readAmount(cell('price'));
  if (!includes(CHANNELS, channel)) return `Unknown channel "${channel}"`;
  if (!isCountry(country)) return `Unknown country "${country}". Use the two-letter code, such as DE.`;
  if (mccmnc !== null && !/^\d{5,6}$/.test(mccmnc))
    return `The network "${mccmnc}" is not an MCC and MNC of 5 or 6 digits`;
  if (purpose !== null && !includes(PURPOSES, purpose)) return `Unknown purpose "${purpose}"`;
  if (purpose !== null && channel === PHONE_CHANNEL) return 'Prices on this channel do not depend on the purpose';
  if (!includes(CURRENCIES, currency)) return `Unknown currency "${currency}"`;
  if (price_micros === null)
    return `The price "${cell('price')}" is not an amount from 0 to ${MAX_UNITS}, such as 0.0425`;
  return { channel, country, mccmnc, purpose, currency, price_micros };
}

/** Reads an amount with up to six decimals into micro-units, exactly. */
export function readAmount(text: string): number | null {
  const [, units, decimals = ''] = /^(\d{1,5})(?:[.,](\d{1,6})0*)?$/.exec(text) ?? [];
  if (units === undefined || Number(units) > MAX_UNITS) return null;
  return Number(units) * 1_000_000 + Number(decimals.padEnd(6, '0'));
}

/** Writes micro-units as an amount without trailing zeros. */
export const writeAmount = (micros: number): string => {
  const units = Math.floor(micros / 1_000_000);
  const decimals = String(micros % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return decimals ? `${units}.${decimals}` : String(units);
};
