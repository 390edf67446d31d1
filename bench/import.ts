/**
 * Imports 100,000 CSV rows through the API and measures the time until they are visible. The baseline is a raw COPY of
 * the same rows into a table with the same indexes.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { makeCompany, testNumber } from '@parley/server/src/test/make.ts';
import { from as copyFrom } from 'pg-copy-streams';
import { api, median, type Result, type Rig, secondsSince, until } from './rig.ts';

const ROWS = 100_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

export async function importRows(rig: Rig): Promise<Result> {
  const company = await makeCompany(rig.kernel);
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    number: testNumber(index),
    first_name: `First${index % 977}`,
    last_name: `Last${index % 1_013}`,
    custom1: `Order ${index}`,
  }));
  const lines = rows.map((row) => `+${row.number},${row.first_name},${row.last_name},${row.custom1}\n`);
  const csv = `Number,First name,Last name,Custom 1\n${lines.join('')}`;
  const parley: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    baseline.push(await rawCopy(rig, company.account_id, rows));
    parley.push(await importThroughApi(rig, company.token, csv, round));
    console.log(`  round ${round + 1}: ${parley.at(-1)!.toFixed(2)} s; raw COPY ${baseline.at(-1)!.toFixed(2)} s`);
  }
  const [a, b] = [median(parley), median(baseline)];
  return {
    name: 'Import of 100,000 CSV rows through the API until visible',
    parley: `${a.toFixed(2)} s`,
    baseline: `raw COPY ${b.toFixed(2)} s`,
    ratio: (a / b).toFixed(2),
    target: 'at most 3',
    met: a / b <= 3,
  };
}

async function importThroughApi(rig: Rig, token: string, csv: string, round: number): Promise<number> {
  const caller = api(rig.url, token);
  const form = new FormData();
  form.append('name', `Import ${round}`);
  form.append('start', 'true');
  form.append('file', new Blob([csv]), 'people.csv');
  const startedAt = performance.now();
  const response = await fetch(`${rig.url}/v1/audience_imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const body = (await response.json()) as { data: { id: string } };
  if (response.status !== 201) throw new Error(JSON.stringify(body));
  let audience_id: string | null = null;
  await until(
    'the import is complete',
    async () => {
      const task = (await caller.get(`/v1/audience_imports/${body.data.id}`)).body.data as {
        status: string;
        audience_id: string | null;
        created_count: number;
      };
      if (task.status === 'failed') throw new Error(JSON.stringify(task));
      audience_id = task.audience_id;
      return task.status === 'completed' && task.created_count === ROWS;
    },
    120_000,
    20,
  );
  const audience = (await caller.get(`/v1/audiences/${audience_id}`)).body.data as { contacts_count: number };
  if (audience.contacts_count !== ROWS) throw new Error(`visible contacts: ${audience.contacts_count}`);
  return secondsSince(startedAt);
}

async function rawCopy(
  rig: Rig,
  account_id: string,
  rows: readonly { number: string; first_name: string; last_name: string; custom1: string }[],
): Promise<number> {
  const client = await rig.kernel.db.dedicated('bench');
  const audience_id = newId();
  await client.query('drop table if exists raw_contacts');
  await client.query('create table raw_contacts (like contacts including all)');
  // The lines are built before the measurement starts so that only the COPY is measured.
  const lines = rows.map(({ number, first_name, last_name, custom1 }) => {
    const columns = [account_id, audience_id, newId(), number, 'GB', first_name, last_name, custom1, ''];
    return `${columns.join('\t')}\n`;
  });
  const chunks = Array.from({ length: Math.ceil(lines.length / 1_000) }, (_, index) =>
    lines.slice(index * 1_000, index * 1_000 + 1_000).join(''),
  );
  const startedAt = performance.now();
  const sink = client.query(
    copyFrom(
      `copy raw_contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2)
       from stdin`,
    ),
  );
  await pipeline(Readable.from(chunks), sink);
  const elapsed = secondsSince(startedAt);
  await client.query('drop table raw_contacts');
  await client.end();
  return elapsed;
}
