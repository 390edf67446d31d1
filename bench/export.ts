/**
 * Exports the message log of a company with 5,000,000 messages as CSV. The baseline is `COPY ... TO STDOUT` of the same
 * columns on the same database, read by this process. The memory of the server is sampled in each half of the export.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Export } from '@parley/contract/exports/exports.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fillLog } from './log.ts';
import type { Result, Rig } from './rig.ts';

const ROWS = Number(process.env.BENCH_EXPORT_ROWS ?? 5_000_000);
const MB = 1024 * 1024;
/** The growth of the peak memory in the second half that counts as flat. */
const FLAT_BYTES = 64 * MB;

export async function exportRows(rig: Rig): Promise<Result[]> {
  const company = await makeCompany(rig.kernel);
  const { sender_id, code } = await makeSender(rig.kernel, company.account_id);
  await fillLog(rig, company.account_id, sender_id, code, ROWS);
  const copied = await copyRows(rig, company.account_id);
  const headers = { authorization: `Bearer ${company.token}`, 'content-type': 'application/json' };
  const url = `${rig.url}/v1/exports`;
  const startedAt = performance.now();
  const body = JSON.stringify({ data: { list: 'messages', format: 'csv' } });
  const started = await fetch(url, { method: 'POST', headers, body });
  if (!started.ok) throw new Error(await started.text());
  const peaks = { first: 0, second: 0 };
  for (let row: Export | undefined; row?.status !== 'COMPLETED'; ) {
    await wait(100);
    row = ((await (await fetch(url, { headers })).json()) as { data: Export[] }).data[0];
    if (row?.error_message) throw new Error(row.error_message);
    const half = (row?.rows_count ?? 0) < ROWS / 2 ? 'first' : 'second';
    peaks[half] = Math.max(peaks[half], await residentBytes(rig.server_pid));
  }
  const exported = (performance.now() - startedAt) / 1_000;
  const rate = (seconds: number) => `${Math.round(ROWS / seconds).toLocaleString('en-US')} rows/s`;
  const growth = peaks.second - peaks.first;
  return [
    {
      name: `Export of ${ROWS.toLocaleString('en-US')} messages as CSV`,
      parley: `${rate(exported)} (${exported.toFixed(1)} s)`,
      baseline: `COPY ${rate(copied)} (${copied.toFixed(1)} s)`,
      ratio: (copied / exported).toFixed(2),
      target: 'at least 0.5',
      met: copied / exported >= 0.5,
    },
    {
      name: 'Memory of the server in the second half of the export',
      parley: `${Math.round(peaks.second / MB)} MB`,
      baseline: `first half ${Math.round(peaks.first / MB)} MB`,
      ratio: (peaks.second / peaks.first).toFixed(2),
      target: `at most ${FLAT_BYTES / MB} MB more`,
      met: growth <= FLAT_BYTES,
    },
  ];
}

/** Seconds. */
async function copyRows(rig: Rig, account_id: string): Promise<number> {
  const connection = new pg.Client({ connectionString: rig.postgres.url });
  await connection.connect();
  const startedAt = performance.now();
  const stream = connection.query(
    copyTo(`
      copy (
        select create_date, status, status_details, direction, "to", country, "from", type, text, segments_count,
          price_micros, currency, channel, mccmnc, source
        from messages where account_id = '${account_id}' order by id desc
      ) to stdout with (format csv)`),
  );
  let bytes = 0;
  for await (const part of stream) bytes += (part as Buffer).length;
  await connection.end();
  if (bytes === 0) throw new Error('COPY returned nothing');
  return (performance.now() - startedAt) / 1_000;
}

const residentBytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
