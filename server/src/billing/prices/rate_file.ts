/** An account's price list as a file. It has at most a few thousand rows, so it is written in one piece. */
import { Readable } from 'node:stream';
import type { exportRates as Endpoint, Rate } from '@parley/contract/billing/rates.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { readHistoryDate } from './history_queries.ts';
import { listRateRows } from './queries.ts';

const TITLES = [
  'Country',
  'Channel',
  'MCC/MNC',
  'Network',
  'Purpose',
  'Price',
  'Currency',
  'Price list',
  'Since',
  'Previous price',
  'Next price',
  'Next price from',
  'Volume prices',
  'Next volume prices',
  'Next volume prices from',
];
/** Without this mark, spreadsheets read UTF-8 files in the local encoding. */
const BYTE_ORDER_MARK = '\ufeff';
const MAX_ROWS = 100_000;

const cells = (rate: Rate): (string | number | null)[] => [
  rate.country,
  rate.channel,
  rate.mccmnc,
  rate.network,
  rate.purpose,
  rate.price_micros / 1_000_000,
  rate.currency,
  rate.custom ? 'custom' : 'standard',
  rate.since,
  rate.previous_micros === null ? null : rate.previous_micros / 1_000_000,
  rate.next_micros === null ? null : rate.next_micros / 1_000_000,
  rate.next_date,
  writeSteps(rate.steps),
  rate.next_steps && (writeSteps(rate.next_steps) ?? 'none'),
  rate.next_steps_month,
];

/** Such as `above 10000: 0.04; above 100000: 0.035`. */
const writeSteps = (steps: Rate['steps']): string | null =>
  steps.map(({ above_units, price_micros }) => `above ${above_units}: ${price_micros / 1_000_000}`).join('; ') || null;

/** Throws RATES_UNKNOWN for a time before the history of prices starts. */
async function checkDate(tx: Tx, date: string): Promise<void> {
  const start = await readHistoryDate(tx);
  if (date < start) throw new Problem('RATES_UNKNOWN', { message: `The price history starts on ${start} UTC` });
}

export async function exportRates({ tx, actor, reply }: Ctx, query: Parsed<typeof Endpoint>['query']): Promise<void> {
  const filter = { account_id: actor.account_id, is_own: query.rate_mode === 'ACCOUNT', ...query.filter };
  const page = { number: 1, size: MAX_ROWS, after: null, offset: 0, sort: undefined, count_limit: 0 };
  if (query.date) await checkDate(tx, query.date);
  const rates = await listRateRows(tx, filter, tx.now, page, query.date);
  const format = query.format ?? 'csv';
  reply.header('content-disposition', `attachment; filename="rates.${format}"`).header('cache-control', 'no-store');
  if (format === 'csv') {
    const lines = rates.map((rate) => csvLine(cells(rate)));
    await reply.type('text/csv; charset=utf-8').send(BYTE_ORDER_MARK + csvLine(TITLES) + lines.join(''));
    return;
  }
  const { writeXlsxStream } = await import('hucre/xlsx');
  async function* rows() {
    yield* rates.map(cells);
  }
  const stream = writeXlsxStream(rows(), {
    name: 'Rates',
    columns: TITLES.map((header) => ({ header, width: 16 })),
    freezePane: { rows: 1 },
  });
  await reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .send(Readable.from(stream as unknown as AsyncIterable<Uint8Array>));
}
