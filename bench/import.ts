/**
 * 100,000 CSV rows through the API until they are visible; against a raw COPY of the same rows into an equally indexed
 * table.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { makeCompany, testNumber } from '@parley/server/src/test/make.ts';
import { from as copyFrom } from 'pg-copy-streams';
import { api, median, type Result, type Rig, seconds, until } from './rig.ts';

const ROWS = 100_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

export async function importing(rig: Rig): Promise<Result> {
  const company = await makeCompany(rig.kernel);
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    number: testNumber(index),
    first_name: `First${index % 977}`,
    last_name: `Last${index % 1_013}`,
    custom1: `Order ${index}`,
  }));
  const csv = `Number,First name,Last name,Custom 1\n${rows.map((row) => `+${row.number},${row.first_name},${row.last_name},${row.custom1}`).join('\n')}\n`;
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await rawCopy(rig, company.account_id, rows));
    ours.push(await throughApi(rig, company.token, csv, round));
    console.log(`  round ${round + 1}: ${ours.at(-1)!.toFixed(2)} s; raw COPY ${theirs.at(-1)!.toFixed(2)} s`);
  }
  const [a, b] = [median(ours), median(theirs)];
  return {
    name: 'Import of 100,000 CSV rows through the API until visible',
    ours: `${a.toFixed(2)} s`,
    yardstick: `raw COPY ${b.toFixed(2)} s`,
    ratio: (a / b).toFixed(2),
    target: 'at most 3',
    met: a / b <= 3,
  };
}

async function throughApi(rig: Rig, token: string, csv: string, round: number): Promise<number> {
  const caller = api(rig.url, token);
  const form = new FormData();
  form.append('name', `Import ${round}`);
  form.append('start', 'true');
  form.append('file', new Blob([csv]), 'people.csv');
  const began = performance.now();
  const response = await fetch(`${rig.url}/v1/audience_imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const body = (await response.json()) as { data: { id: string } };
  if (response.status !== 201) throw new Error(JSON.stringify(body));
  let audience_id: string | null = null;
  await until(
    'the import',
    async () => {
      const one = (await caller.get(`/v1/audience_imports/${body.data.id}`)).body.data as {
        status: string;
        audience_id: string | null;
        created_count: number;
      };
      if (one.status === 'failed') throw new Error(JSON.stringify(one));
      audience_id = one.audience_id;
      return one.status === 'completed' && one.created_count === ROWS;
    },
    120_000,
    20,
  );
  const audience = (await caller.get(`/v1/audiences/${audience_id}`)).body.data as { contacts_count: number };
  if (audience.contacts_count !== ROWS) throw new Error(`visible: ${audience.contacts_count}`);
  return seconds(began);
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
  // What a program would have at hand that only had to copy: the lines, made beforehand.
  const lines = rows.map(
    (row) =>
      `${account_id}\t${audience_id}\t${newId()}\t${row.number}\tGB\t${row.first_name}\t${row.last_name}\t${row.custom1}\t\n`,
  );
  const chunks = Array.from({ length: Math.ceil(lines.length / 1_000) }, (_, index) =>
    lines.slice(index * 1_000, index * 1_000 + 1_000).join(''),
  );
  const began = performance.now();
  const sink = client.query(
    copyFrom(
      'copy raw_contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2) from stdin',
    ),
  );
  await pipeline(Readable.from(chunks), sink);
  const took = seconds(began);
  await client.query('drop table raw_contacts');
  await client.end();
  return took;
}
