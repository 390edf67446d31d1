import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_UNFINISHED_EXPORTS } from '@parley/contract/exports/exports.ts';
import { problemStatus } from '@parley/contract/problem.ts';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { ROUTES } from '../modules.ts';
import { makeCompany, makeKey, makeUser } from '../test/make.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { sweepExports } from './exports.ts';
import { writeExport } from './write.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;

async function makeAudience(count: number, name = (index: number) => `Name ${index}`) {
  const company = await makeCompany(world.kernel, { country: 'US' });
  const owner = world.as(company.token);
  const audience = (await owner.post('/v1/audiences', { name: 'Regulars', channel: 'SMS' })).body.data as {
    id: string;
  };
  const ids = Array.from({ length: count }, () => newId());
  await world.kernel.db.run(sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2)
    select ${company.account_id}, ${audience.id}, t.id, (12025550000 + t.n)::text, 'US', t.name, '', '', ''
    from unnest(${ids}::uuid[], ${ids.map((_, index) => index)}::int[], ${ids.map((_, index) => name(index))}::text[])
      as t(id, n, name)`);
  return { company, owner, audience };
}

const exportContacts = (owner: Caller, id: string, more: object = {}) =>
  owner.post('/v1/exports', { list: 'contacts', params: { id }, ...more });

async function waitUntil(owner: Caller, id: string, status: string) {
  let found: Record<string, unknown> | undefined;
  await expect
    .poll(
      async () => {
        const { data } = (await owner.get('/v1/exports')).body as { data: Record<string, unknown>[] };
        found = data.find((row) => row.id === id);
        return found?.status;
      },
      { timeout: 30_000 },
    )
    .toBe(status);
  return found!;
}

async function download(token: string, id: string): Promise<{ response: Response; bytes: Uint8Array }> {
  const response = await fetch(`${world.url}/v1/exports/${id}/file`, { headers: { authorization: `Bearer ${token}` } });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const listFiles = async (account_id: string) =>
  readdir(join(world.settings.DATA_DIR!, 'files', 'exports', account_id)).catch(() => [] as string[]);

describe('an export', () => {
  test('has the filtered rows and the chosen columns in their order when it is CSV', async () => {
    const { company, owner, audience } = await makeAudience(2_300, (index) => (index % 2 ? `=Odd ${index}` : 'Even'));
    const created = await exportContacts(owner, audience.id, {
      filter: { search: 'odd' },
      columns: ['first_name', 'number', 'unknown'],
    });
    expect([created.status, created.body.data.status]).toEqual([202, 'PENDING']);
    const done = await waitUntil(owner, created.body.data.id, 'COMPLETED');
    expect(done).toMatchObject({ list: 'contacts', rows_count: 1_150, total_rows: 1_150, error_message: null });
    const { response, bytes } = await download(company.token, created.body.data.id);
    expect(response.headers.get('content-disposition')).toMatch(/contacts-\d{4}-\d\d-\d\d\.csv/);
    expect(bytes.length).toBe(done.bytes);
    const lines = Buffer.from(bytes).toString().split('\r\n');
    expect(lines[0]).toBe('\ufeffFirst name,Number,Country');
    expect(lines[1]).toBe("'=Odd 2299,+12025552299,US");
    expect(lines).toHaveLength(1_152);
    expect(new Set(lines).size).toBe(1_152);
  });

  test('stores formulas and emoji as text when it is XLSX', async () => {
    const { company, owner, audience } = await makeAudience(2, (index) => (index ? '=1+1' : '\u{1f44b} \u0001x'));
    const { id } = (await exportContacts(owner, audience.id, { format: 'xlsx', columns: ['first_name', 'added'] })).body
      .data;
    await waitUntil(owner, id, 'COMPLETED');
    const { bytes } = await download(company.token, id);
    const [sheet] = (await readXlsx(bytes)).sheets;
    expect(sheet!.rows.map(([name]) => name)).toEqual(['First name', '=1+1', '\u{1f44b} x']);
    expect(sheet!.rows[1]![1]).toBeInstanceOf(Date);
    expect(Buffer.from(bytes).includes('<f>')).toBe(false);
  });

  test('has times in the chosen zone, and one object per line when it is JSON Lines', async () => {
    const { company, owner, audience } = await makeAudience(2, (index) => (index ? 'Zoë "Q"' : '\u{1f44b}'));
    await world.kernel.db.run(sql`
      update contacts set create_date = '2026-07-01 20:30:00Z' where account_id = ${company.account_id}`);
    const columns = ['first_name', 'added'];
    const start = async (more: object) => {
      const { id } = (await exportContacts(owner, audience.id, { columns, ...more })).body.data;
      await waitUntil(owner, id, 'COMPLETED');
      return Buffer.from((await download(company.token, id)).bytes).toString();
    };
    const lines = (await start({ format: 'jsonl', time_zone: 'Asia/Kolkata' })).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { first_name: 'Zoë "Q"', added: '2026-07-02T02:00:00+05:30' },
      { first_name: '\u{1f44b}', added: '2026-07-02T02:00:00+05:30' },
    ]);
    const csv = (await start({ time_zone: 'America/New_York' })).split('\r\n');
    expect(csv[0]).toBe('\ufeffFirst name,Added (America/New_York)');
    expect(csv[2]).toBe('\u{1f44b},2026-07-01 16:30:00');
    expect((await start({ format: 'jsonl' })).split('\n')[1]).toContain('"2026-07-01T20:30:00Z"');
    expect(code(await exportContacts(owner, audience.id, { time_zone: 'Mars/Olympus' }))).toBe(1162);
  });

  test('is downloaded through a signed link without signing in until the link expires', async () => {
    const { company, owner, audience } = await makeAudience(1);
    const { id } = (await exportContacts(owner, audience.id)).body.data;
    await waitUntil(owner, id, 'COMPLETED');
    const link = await owner.post(`/v1/exports/${id}/links`, {});
    expect(link.status, link.text).toBe(201);
    const { pathname, searchParams } = new URL(link.body.data.url);
    const fetchLink = (changes: Record<string, string> = {}) =>
      fetch(`${world.url}${pathname}?${new URLSearchParams({ ...Object.fromEntries(searchParams), ...changes })}`);
    const response = await fetchLink();
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('attachment'),
    ]);
    expect(await response.text()).toContain('Name 0');
    const other = (await makeCompany(world.kernel)).account_id;
    const changed: Record<string, string>[] = [
      { account: other },
      { id: newId() },
      { expires: '9999999999' },
      { signature: 'x\0' },
    ];
    for (const changes of changed) expect((await fetchLink(changes)).status).toBe(problemStatus('FILE_LINK_EXPIRED'));
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(code(await stranger.post(`/v1/exports/${id}/links`, {}))).toBe(1904);
    await owner.delete(`/v1/exports/${id}`);
    expect((await fetchLink()).status).toBe(404);
    expect(company.account_id).toBe(searchParams.get('account'));
  });

  test('is refused when its list refuses the request', async () => {
    const { owner, audience } = await makeAudience(1);
    expect(code(await owner.post('/v1/exports', { list: 'contacts', params: { id: 'x' } }))).toBe(1302);
    expect((await owner.post('/v1/exports', { list: 'passwords' })).status).toBe(400);
    const wrong = await owner.post('/v1/logs', { filter: { created_date_start: 'yesterday' } });
    expect(wrong.status).toBe(400);
    const { id } = (await exportContacts(owner, newId())).body.data;
    await expect
      .poll(async () => (await owner.get('/v1/exports')).body.data.find((row: { id: string }) => row.id === id))
      .toMatchObject({ status: 'PENDING', error_message: expect.stringMatching(/audience/i) });
    expect(code(await owner.get(`/v1/exports/${id}/file`))).toBe(1901);
    expect((await exportContacts(owner, audience.id)).status).toBe(202);
  });

  test('is visible only to callers who may view its list', async () => {
    const { company, owner, audience } = await makeAudience(1);
    const { id } = (await exportContacts(owner, audience.id)).body.data;
    await waitUntil(owner, id, 'COMPLETED');
    const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
    const stranger = world.as((await makeCompany(world.kernel)).token);
    for (const caller of [world.as(agent.token), stranger]) {
      expect((await caller.get('/v1/exports')).body.data).toEqual([]);
      expect(code(await caller.get(`/v1/exports/${id}/file`))).toBe(1904);
      expect(code(await caller.put(`/v1/exports/${id}`, {}))).toBe(1904);
      expect(code(await caller.delete(`/v1/exports/${id}`))).toBe(1904);
    }
    expect((await exportContacts(world.as(agent.token), audience.id)).status).toBe(403);
    const key = world.as({ key: await makeKey(world.kernel, company.account_id) });
    expect((await key.post('/v1/exports', { list: 'users' })).status).toBe(403);
    expect((await key.get('/v1/exports')).body.data).toHaveLength(1);
  });

  test('is deleted with its file when the user deletes it', async () => {
    const { company, owner, audience } = await makeAudience(1);
    const { id } = (await exportContacts(owner, audience.id)).body.data;
    await waitUntil(owner, id, 'COMPLETED');
    expect(await listFiles(company.account_id)).toHaveLength(1);
    expect((await owner.delete(`/v1/exports/${id}`)).status).toBe(204);
    expect(code(await owner.delete(`/v1/exports/${id}`))).toBe(1904);
    await expect.poll(() => listFiles(company.account_id)).toEqual([]);
  });

  test('can be written again with the rows at that time', async () => {
    const { company, owner, audience } = await makeAudience(1);
    const { id } = (await exportContacts(owner, audience.id)).body.data;
    await waitUntil(owner, id, 'COMPLETED');
    await owner.post(`/v1/audiences/${audience.id}/contacts`, { number: '+12025559999' });
    expect((await owner.put(`/v1/exports/${id}`, {})).status).toBe(202);
    await expect.poll(async () => (await waitUntil(owner, id, 'COMPLETED')).rows_count, { timeout: 20_000 }).toBe(2);
    expect(await listFiles(company.account_id)).toHaveLength(1);
  });
});

describe('the message log', () => {
  test('is exported through its own calls, without exports of other lists', async () => {
    const { owner, audience } = await makeAudience(1);
    const other = (await exportContacts(owner, audience.id)).body.data;
    const log = await owner.post('/v1/logs', { format: 'xlsx' });
    expect([log.status, log.body.data.list]).toEqual([202, 'messages']);
    await waitUntil(owner, log.body.data.id, 'COMPLETED');
    const { body } = await owner.get('/v1/logs');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([log.body.data.id]);
    expect(body.pagination.size).toBe(10);
    expect(code(await owner.delete(`/v1/logs/${other.id}`))).toBe(1904);
    expect((await owner.put(`/v1/logs/${log.body.data.id}`, {})).status).toBe(202);
    expect((await owner.delete(`/v1/logs/${log.body.data.id}`)).status).toBe(204);
  });
});

test('an account cannot have more unfinished exports than the limit', async () => {
  const quiet = await createWorld({ role: 'api' });
  try {
    const owner = quiet.as((await makeCompany(quiet.kernel)).token);
    const start = () => owner.post('/v1/logs', {});
    for (let index = 0; index < MAX_UNFINISHED_EXPORTS; index++) expect((await start()).status).toBe(202);
    expect(await start()).toMatchObject({
      status: 429,
      body: { errors: [{ code: 1903, message: 'The limit for the requests exceeded the allowed count' }] },
    });
  } finally {
    await quiet.stop();
  }
});

test('an export is complete after its worker is killed in the middle of the file', async () => {
  const quiet = await createWorld({ role: 'api' });
  const before = world;
  world = quiet;
  try {
    const { company, owner, audience } = await makeAudience(3_500);
    const { account_id } = company;
    const { id } = (await exportContacts(owner, audience.id)).body.data;
    const killed = await startWorkerProcess(quiet, { FAILPOINT: 'export.portion:3' });
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect((await owner.get('/v1/exports')).body.data[0].status).toBe('IN_PROGRESS');
    expect(code(await owner.get(`/v1/exports/${id}/file`))).toBe(1901);
    expect(await listFiles(account_id)).toEqual([]);
    // The job queue runs the job again when the heartbeat of the dead worker is overdue.
    const repeat = () => writeExport(quiet.kernel, ROUTES, { account_id, id }, new AbortController().signal);
    await repeat();
    expect((await owner.get('/v1/exports')).body.data[0].status).toBe('COMPLETED');
    const { bytes } = await download(company.token, id);
    expect(Buffer.from(bytes).toString().split('\r\n')).toHaveLength(3_502);
    await repeat();
    expect(await listFiles(account_id)).toHaveLength(1);
  } finally {
    world = before;
    await quiet.stop();
  }
});

test('an export is deleted with its file when it expires', async () => {
  const { company, owner, audience } = await makeAudience(1);
  const { id } = (await exportContacts(owner, audience.id)).body.data;
  await waitUntil(owner, id, 'COMPLETED');
  const set = (change: ReturnType<typeof sql>) =>
    world.kernel.db.run(sql`update exports set ${change} where account_id = ${company.account_id} and id = ${id}`);
  await set(sql`expire_date = now() - interval '1 minute'`);
  await sweepExports(world.kernel);
  expect((await owner.get('/v1/exports')).body.data).toEqual([]);
  await set(sql`remove_date = now() - interval '2 hours'`);
  await sweepExports(world.kernel);
  expect(await listFiles(company.account_id)).toEqual([]);
});

test('users who may view a list but not its amounts cannot download a file with amounts', async () => {
  const company = await makeCompany(world.kernel);
  const owner = world.as(company.token);
  const user = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const reader = world.as(user.token);
  const { id } = (await owner.post('/v1/exports', { list: 'messages' })).body.data;
  await waitUntil(owner, id, 'COMPLETED');
  expect((await download(company.token, id)).response.status).toBe(200);
  expect((await download(user.token, id)).response.status).toBe(403);
  expect(code(await reader.post(`/v1/exports/${id}/links`, {}))).toBe(1136);
  const own = (await reader.post('/v1/exports', { list: 'messages' })).body.data;
  await waitUntil(reader, own.id, 'COMPLETED');
  expect((await download(user.token, own.id)).response.status).toBe(200);
});

test('the progress of a long log has an exact total', { timeout: 60_000 }, async () => {
  const company = await makeCompany(world.kernel);
  const owner = world.as(company.token);
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, sender_id, direction, channel, status, "from", "to", number, country, text,
      segments_count, encoding, price_micros, currency, charge, source, create_date)
    select ${company.account_id}, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${newId()}, 'MT', 'SMS',
      'delivered', 'A', '4474' || (10000000 + n), '4474' || (10000000 + n), 'GB', 'Hello', 1, 'GSM-7', 0, 'USD',
      'none', 'api', now() from generate_series(1, 10400) n`);
  const { id } = (await owner.post('/v1/exports', { list: 'messages', format: 'csv' })).body.data as { id: string };
  const done = await waitUntil(owner, id, 'COMPLETED');
  expect(done).toMatchObject({ rows_count: 10_400, total_rows: 10_400 });
});
