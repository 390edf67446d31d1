import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCarrier, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { readStatement } from './statement_file.ts';

let world: World;
let operator: Caller;
let customer: Caller;
let account_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const company = await makeCompany(world.kernel);
  account_id = company.account_id;
  customer = world.as(company.token);
});
afterAll(() => world.stop());

const code = (reply: Reply) => [reply.status, reply.body.errors[0].code];

async function makeConnection(): Promise<string> {
  return (await makeCarrier(world.kernel)).connection_id;
}

/** Records what settled messages cost. */
const recordCost = (connection_id: string, day: string, country: string, segments: number, cost_micros: number) =>
  world.kernel.db.run(sql`
    insert into margins (account_id, day, connection_id, channel, country, currency, messages, segments, income_micros,
                         cost_micros, uncosted_segments)
    values (${account_id}, ${day}, ${connection_id}, 'SMS', ${country}, 'USD', ${segments}, ${segments},
            ${cost_micros * 2}, ${cost_micros}, 0)
    on conflict (account_id, day, connection_id, channel, country, currency) do update
      set segments = margins.segments + excluded.segments, cost_micros = margins.cost_micros + excluded.cost_micros`);

const upload = (connection_id: string, lines: readonly string[], header = 'date,country,segments,amount') =>
  operator.post('/v1/carrier_statements', {
    ...{ connection_id, filename: 'january.csv', currency: 'USD' },
    text: [header, ...lines].join('\n'),
  });

async function listLines(statement_id: string) {
  const filter = `filter[statement_id]=${statement_id}`;
  return (await operator.get(`/v1/carrier_lines?${filter}`)).body.data as {
    id: string;
    country: string;
    status: string;
    their_micros: number;
    our_micros: number;
    our_segments: number;
  }[];
}

test('a statement is compared by country, with the countries that only one side has', async () => {
  const connection_id = await makeConnection();
  await recordCost(connection_id, '2027-01-01', 'GB', 100, 2_400_000);
  await recordCost(connection_id, '2027-01-31', 'GB', 50, 1_200_000);
  await recordCost(connection_id, '2027-01-02', 'DE', 10, 700_000);
  await recordCost(connection_id, '2027-01-03', 'FR', 5, 300_000);
  await recordCost(connection_id, '2027-02-01', 'GB', 999, 9_000_000);
  await recordCost(await makeConnection(), '2027-01-03', 'GB', 999, 9_000_000);
  const reply = await upload(connection_id, [
    '2027-01-01,GB,120,2.88',
    '2027-01-31,gb,30,0.720004',
    '2027-01-02,DE,11,"0,77"',
    '2027-01-05T10:00:00Z,US,1,0.01',
  ]);
  expect(reply.status).toBe(201);
  expect(reply.body.data).toMatchObject({
    ...{ from_day: '2027-01-01', until_day: '2027-01-31', their_segments: 162, their_micros: 4_380_004 },
    ...{ our_segments: 165, our_micros: 4_600_000, open_count: 3, filename: 'january.csv' },
  });
  expect(await listLines(reply.body.data.id)).toMatchObject([
    { country: 'DE', status: 'open', their_micros: 770_000, our_micros: 700_000, their_segments: 11, our_segments: 10 },
    { country: 'FR', status: 'open', their_micros: 0, our_micros: 300_000, their_segments: 0, our_segments: 5 },
    { country: 'GB', status: 'equal', their_micros: 3_600_004, our_micros: 3_600_000, our_segments: 150 },
    { country: 'US', status: 'open', their_micros: 10_000, our_micros: 0, our_segments: 0 },
  ]);
});

test('a resolved difference opens again if late messages change our side', async () => {
  const connection_id = await makeConnection();
  await recordCost(connection_id, '2027-01-01', 'GB', 10, 240_000);
  const { id } = (await upload(connection_id, ['2027-01-01,GB,12,0.288'])).body.data;
  const [line] = await listLines(id);
  const reason = 'The carrier corrects it';
  const resolved = await operator.put(`/v1/carrier_lines/${line!.id}`, { reason });
  expect(resolved.body.data).toMatchObject({ status: 'resolved', reason });
  expect(code(await operator.put(`/v1/carrier_lines/${line!.id}`, { reason }))).toEqual([409, 2541]);
  await operator.put(`/v1/carrier_statements/${id}/compare`, {});
  expect((await listLines(id))[0]).toMatchObject({ status: 'resolved' });
  await recordCost(connection_id, '2027-01-01', 'GB', 1, 24_000);
  expect((await operator.put(`/v1/carrier_statements/${id}/compare`, {})).body.data.open_count).toBe(1);
  await recordCost(connection_id, '2027-01-01', 'GB', 1, 24_000);
  await operator.put(`/v1/carrier_statements/${id}/compare`, {});
  expect(await listLines(id)).toMatchObject([{ status: 'equal', our_segments: 12 }]);
  expect((await operator.get('/v1/carrier_lines?filter[statuses]=equal&page_size=100')).body.data).toContainEqual(
    expect.objectContaining({ id: line!.id }),
  );
});

test('lines can be single messages with numbers', async () => {
  const connection_id = await makeConnection();
  const lines = ['2027-01-01 08:00:00;447400000001;0.024', '2027-01-01 08:00:01;+447400000002;0.024'];
  const { id } = (await upload(connection_id, lines, 'date;number;amount')).body.data;
  expect(await listLines(id)).toMatchObject([{ country: 'GB', their_segments: 2, their_micros: 48_000 }]);
});

test('the days of a connection have one statement, even with parallel uploads', async () => {
  const connection_id = await makeConnection();
  const line = '2027-03-01,GB,1,0.02';
  const replies = await Promise.all(Array.from({ length: 6 }, () => upload(connection_id, [line])));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  const refused = await upload(connection_id, ['2027-02-01,GB,1,0.02', line]);
  expect(code(refused)).toEqual([409, 2701]);
  expect(refused.body.errors[0].message).toContain('"january.csv" already covers 2027-03-01 to 2027-03-01');
  const { id } = replies.find(({ status }) => status === 201)!.body.data;
  expect((await operator.delete(`/v1/carrier_statements/${id}`)).status).toBe(204);
  expect(await listLines(id)).toEqual([]);
  expect((await upload(connection_id, [line])).status).toBe(201);
  const filter = `filter[connection_id]=${connection_id}`;
  expect((await operator.get(`/v1/carrier_statements?${filter}`)).body.data).toHaveLength(1);
});

test('a recorded cost in another currency counts as missing', async () => {
  const connection_id = await makeConnection();
  await recordCost(connection_id, '2027-01-01', 'GB', 10, 240_000);
  const { id } = (
    await operator.post('/v1/carrier_statements', {
      ...{ connection_id, filename: 'january.csv', currency: 'EUR' },
      text: 'date,country,segments,amount\n2027-01-01,GB,10,0.24',
    })
  ).body.data;
  expect(await listLines(id)).toMatchObject([
    { status: 'open', our_segments: 10, our_micros: 0, uncosted_segments: 10 },
  ]);
});

test.each([
  ['no amount', 'date,country', ['2027-01-01,GB'], 'Missing: amount'],
  ['neither country nor number', 'date,amount', ['2027-01-01,1'], 'Missing: country or number'],
  ['an unclosed quote', 'date,country,amount', ['2027-01-01,"GB,1'], 'not closed'],
  ['no lines', 'date,country,amount', [], 'has no lines'],
  ['another date format', 'date,country,amount', ['01/31/2027,GB,1'], 'Line 2: "01/31/2027" is not a date'],
  ['a day that does not exist', 'date,country,amount', ['2027-02-30,GB,1'], 'Line 2: "2027-02-30" is not a date'],
  ['another time zone', 'date,country,amount', ['2027-02-01T10:00:00+02:00,GB,1'], 'is not a date'],
  ['an unknown country', 'date,country,amount', ['2027-01-01,GB,1', '2027-01-01,XX,1'], 'Line 3: Unknown country "XX"'],
  ['an unknown number', 'date,number,amount', ['2027-01-01,12,1'], 'The country of the number "12" is unknown'],
  ['a negative amount', 'date,country,amount', ['2027-01-01,GB,-1'], '"-1" is not an amount'],
  ['seven decimals', 'date,country,amount', ['2027-01-01,GB,0.0000001'], 'is not an amount'],
  ['half a segment', 'date,country,segments,amount', ['2027-01-01,GB,1.5,1'], '"1.5" is not a number of segments'],
  ['two years', 'date,country,amount', ['2026-01-01,GB,1', '2027-12-31,GB,1'], 'at most 366 days'],
])('a file with %s is refused and stores nothing', async (_, header, lines, message) => {
  const connection_id = await makeConnection();
  const reply = await upload(connection_id, lines, header);
  expect(code(reply)).toEqual([400, 2700]);
  expect(reply.body.errors[0].message).toContain(message);
  const filter = `filter[connection_id]=${connection_id}`;
  expect((await operator.get(`/v1/carrier_statements?${filter}`)).body.data).toEqual([]);
});

test('unknown IDs and customers are refused', async () => {
  const id = '0197a5f0-0000-7000-8000-000000000001';
  expect(code(await upload(id, ['2027-01-01,GB,1,1']))).toEqual([404, 1951]);
  expect(code(await operator.put(`/v1/carrier_statements/${id}/compare`, {}))).toEqual([404, 2702]);
  expect(code(await operator.delete(`/v1/carrier_statements/${id}`))).toEqual([404, 2702]);
  expect(code(await operator.put(`/v1/carrier_lines/${id}`, { reason: 'Because' }))).toEqual([404, 2703]);
  expect(code(await customer.get('/v1/carrier_lines'))).toEqual([403, 1138]);
});

test('totals above the limit of prices are read exactly', () => {
  const read = (amount: string) =>
    readStatement(`date,country,amount\n2027-01-01,GB,${amount}`).countries.get('GB')!.micros;
  expect(read('12345.678901')).toBe(12_345_678_901);
  expect(read('1234567890.000001')).toBe(1_234_567_890_000_001);
  expect(read('10000')).toBe(10_000_000_000);
});

test('the sums of a connection do not read the rows of others', async () => {
  const plan = await world.kernel.db.rows<{ 'QUERY PLAN': string }>(sql`
    explain (costs off) select country from margins where connection_id = ${account_id}
      and day between '2027-01-01'::date and '2027-01-31'::date group by country`);
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('margins_connection');
});
