import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runImport } from '../audiences/imports/run.ts';
import { newId } from '../kernel/clock.ts';
import { raw, sql } from '../kernel/db/db.ts';
import { storeClicks } from '../links/clicks.ts';
import { RETRYABLE } from '../messages/messages.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeAudience, makeCompany, makeSender, makeUser, testNumber } from '../test/make.ts';
import { PERSONAL } from '../test/people/columns.ts';
import { NOT_PERSONAL } from '../test/people/other_columns.ts';
import { leaveTraces, SECRET, type Trace } from '../test/people/traces.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { runErasure, sweepErasures } from './erasure_run.ts';

let world: World;
let company: Company;
let owner: Caller;
let trace: Trace;
let next = 60_000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  trace = await leaveTraces(world, company, testNumber(next++));
});

const code = ({ status, body }: Reply) => [status, body?.errors?.[0]?.code];
const erase = (caller: Caller, number: string, confirmed = `+${number}`) =>
  caller.post(`/v1/people/${number}/erasure`, { number: confirmed });
const state = async (number = trace.number) => (await owner.get(`/v1/people/${number}/erasure`)).body.data;
const run = (id: string, account_id = company.account_id) =>
  runErasure(world.kernel, { account_id, id }, new AbortController().signal);

const TYPES = ['text', 'jsonb', 'json', 'ARRAY', 'bytea'];
const listColumns = () =>
  world.kernel.db.rows<{ table_name: string; column_name: string }>(sql`
    select c.table_name, c.column_name
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = any(${TYPES}::text[])
      and c.udt_name in ('text', '_text', 'jsonb', 'json', 'bytea')
    order by 1, 2`);

/** The tables of the account that contain the text, with the number of rows. */
async function tablesWith(text: string, account_id: string): Promise<Record<string, number>> {
  const tables = await world.kernel.db.rows<{ name: string }>(sql`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'account_id' order by 1`);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const hex = Buffer.from(text).toString('hex');
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*) from ${raw(`"${name}"`)} t
      where account_id = ${account_id} and (t::text like ${`%${text}%`} or t::text like ${`%${hex}%`})`);
    if (count > 0) found[name] = count;
  }
  return found;
}

test('every column that can hold text is listed as erased, kept, or not personal', async () => {
  const words = (text: string | undefined) => text?.split(' ') ?? [];
  const listed = [
    ...Object.entries(PERSONAL).flatMap(([table, { erased, kept = {} }]) =>
      [...words(erased), ...Object.values(kept).flatMap(words)].map((column) => `${table}.${column}`),
    ),
    ...Object.entries(NOT_PERSONAL).flatMap(([table, columns]) => words(columns).map((column) => `${table}.${column}`)),
  ].sort();
  const columns = (await listColumns()).map((row) => `${row.table_name}.${row.column_name}`).sort();
  expect(listed).toEqual(columns);
});

test('an erasure deletes the contents of one person in every table, and no others', async () => {
  const neighbor = await leaveTraces(world, company, testNumber(next++));
  const stranger = await makeCompany(world.kernel);
  await leaveTraces(world, stranger, trace.number);
  const before = await tablesWith(SECRET, company.account_id);
  const others = await tablesWith(SECRET, stranger.account_id);
  const erased = Object.keys(PERSONAL).filter((table) => PERSONAL[table]!.erased !== undefined);
  expect(erased.filter((table) => !before[table]).sort()).toEqual([
    // These have only the number.
    ...['campaign_people', 'crm_changes', 'media', 'person_numbers'],
  ]);
  const { status, body } = await erase(owner, trace.number);
  expect([status, body.data]).toMatchObject([202, { number: trace.number, status: 'running' }]);
  await run(body.data.id);
  expect(await tablesWith(SECRET, stranger.account_id)).toEqual(others);
  const after = await tablesWith(SECRET, company.account_id);
  // Only the traces of the neighbor are left. The word of both is in one block of the search, which keeps it.
  await erase(owner, neighbor.number);
  await run((await state(neighbor.number)).erasure.id);
  const halves = Object.fromEntries(
    Object.entries(before).map(([table, count]) => [table, table === 'conversation_words' ? 1 : count / 2]),
  );
  expect(after).toEqual(halves);
  expect(await tablesWith(SECRET, company.account_id)).toEqual({});
  expect((await state()).erasure).toMatchObject({
    status: 'completed',
    counts: { messages: 2, conversations: 1, notes: 1, contacts: 1, clicks: 1, import_rows: 1, deliveries: 1 },
  });
});

test('an erasure keeps the proofs', async () => {
  const select = () =>
    world.kernel.db.rows(sql`
      select id, number, status, price_micros, charge, campaign_id, create_date, update_date from messages
      where account_id = ${company.account_id} order by id`);
  const ledger = () =>
    world.kernel.db.rows(sql`select * from ledger where account_id = ${company.account_id} order by id`);
  const consents = async () => (await owner.get(`/v1/people/${trace.number}/consents`)).body.data;
  const before = [await select(), await ledger(), await consents()];
  const failedChecks = async () => (await world.examine()).filter(({ ok }) => !ok).map(({ title }) => title);
  const checks = await failedChecks();
  await erase(owner, trace.number);
  await run((await state()).erasure.id);
  expect([await select(), await ledger(), await consents()]).toEqual(before);
  expect((await owner.get('/v1/stop_list')).body.data).toMatchObject([{ number: trace.number }]);
  expect(code(await owner.get(`/v1/people/${trace.number}`))).toEqual([404, 2391]);
  expect((await owner.get(`/v1/audiences/${trace.audience_id}`)).body.data.contacts_count).toBe(0);
  expect((await owner.get('/v1/conversations')).body.data).toEqual([]);
  const message = (await owner.get(`/v1/messages/${trace.sent_id}`)).body.data;
  expect(message).toMatchObject({ text: 'Deleted message', content: null, marks: { erased: true } });
  const entries = (await owner.get(`/v1/people/${trace.number}/timeline`)).body.data;
  expect(entries.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    ...['consent', 'consent', 'erasure', 'message', 'message'],
  ]);
  const audit = (await owner.get('/v1/audit_log')).body.data;
  expect(audit[0]).toMatchObject({ action: 'person.erased', target_name: `+${trace.number}` });
  expect(await failedChecks()).toEqual(checks);
});

test('a failed message is not retried after its text was erased', async () => {
  const { account_id } = company;
  await world.kernel.db.run(sql`delete from fallbacks where account_id = ${account_id}`);
  await world.kernel.db.run(sql`
    update messages set status = 'failed', failure = 'connection', charge = 'released'
    where account_id = ${account_id} and id = ${trace.sent_id}`);
  const retryable = async () =>
    (await world.kernel.db.rows(sql`select from messages m where m.account_id = ${account_id} and ${RETRYABLE}`))
      .length;
  expect(await retryable()).toBe(1);
  await erase(owner, trace.number);
  await run((await state()).erasure.id);
  expect(await retryable()).toBe(0);
});

test('a second request returns the running erasure', async () => {
  const [first, second] = await Promise.all([erase(owner, trace.number), erase(owner, trace.number)]);
  expect(second.body.data.id).toBe(first.body.data.id);
  await run(first.body.data.id);
  await run(first.body.data.id);
  const third = await erase(owner, trace.number);
  expect(third.body.data.id).not.toBe(first.body.data.id);
  await run(third.body.data.id);
  expect((await state()).erasure).toMatchObject({ status: 'completed', counts: { messages: 0, notes: 0 } });
});

test('a person with a message in flight cannot be erased', async () => {
  const set = (status: string) =>
    world.kernel.db.run(sql`
      update messages set status = ${status} where account_id = ${company.account_id} and id = ${trace.sent_id}`);
  await set('enroute');
  expect((await state()).in_flight).toBe(1);
  expect(code(await erase(owner, trace.number))).toEqual([409, 2511]);
  expect((await state()).erasure).toBeNull();
  await set('delivered');
  const { id } = (await erase(owner, trace.number)).body.data;
  // A message that was accepted just before the request.
  await set('enroute');
  await run(id);
  expect((await state()).erasure.status).toBe('waiting');
  expect((await owner.get(`/v1/messages/${trace.sent_id}`)).body.data.text).toContain(SECRET);
  await set('delivered');
  await world.kernel.db.run(sql`update person_erasures set update_date = now() - interval '2 minutes'`);
  await sweepErasures(world.kernel);
  await run(id);
  expect((await state()).erasure.status).toBe('completed');
  expect(await tablesWith(SECRET, company.account_id)).toEqual({});
});

test('an erasure waits for a running import, and deletes the samples of a file without columns', async () => {
  const set = (status: string) =>
    world.kernel.db.run(sql`update audience_imports set status = ${status} where account_id = ${company.account_id}`);
  await set('running');
  const { id } = (await erase(owner, trace.number)).body.data;
  await run(id);
  expect((await state()).erasure.status).toBe('waiting');
  expect(Object.keys(await tablesWith(SECRET, company.account_id))).toContain('import_rows');
  await set('mapping');
  await world.kernel.db.run(sql`update person_erasures set update_date = now() - interval '2 minutes'`);
  await sweepErasures(world.kernel);
  await run(id);
  expect((await state()).erasure.status).toBe('completed');
  expect(await tablesWith(SECRET, company.account_id)).toEqual({});
});

test('an erasure waits until the clicks before it are stored', async () => {
  await world.kernel.db.run(sql`
    insert into click_batches (id, clicks) values (${newId(Date.now() - 1_000)}, '[]'::json)`);
  const { id } = (await erase(owner, trace.number)).body.data;
  await run(id);
  expect((await state()).erasure.status).toBe('waiting');
  expect(await storeClicks(world.kernel.db)).toBe(0);
  await world.kernel.db.run(sql`update person_erasures set update_date = now() - interval '2 minutes'`);
  await sweepErasures(world.kernel);
  await run(id);
  expect((await state()).erasure.status).toBe('completed');
});

test.each<[string, string[]]>([
  ['a new audience', ['new']],
  ['an audience that exists', ['existing']],
])('a file that was uploaded before an erasure does not bring the number back to %s', async (_, [target]) => {
  const { number } = trace;
  const { account_id } = company;
  const kept = testNumber(next++);
  const existing = await makeAudience(world.kernel, account_id, [{ number: kept }]);
  const upload = async () => {
    const where: Record<string, string> = target === 'new' ? { name: `From ${next++}` } : { audience_id: existing };
    const file = { name: 'a.csv', bytes: `Number,First name\n+${number},Ann\n+${testNumber(next++)},Bo\n` };
    const { body } = await owner.upload('/v1/audience_imports', where, file);
    return body.data;
  };
  const start = async (one: { id: string; options: { columns: object } }) => {
    await owner.put(`/v1/audience_imports/${one.id}`, { options: { columns: one.options.columns } });
    await runImport(world.kernel, { account_id, id: one.id }, new AbortController().signal);
    return (await owner.get(`/v1/audience_imports/${one.id}`)).body.data;
  };
  const [before, during] = [await upload(), await upload()];
  const { id } = (await erase(owner, number)).body.data;
  expect(await start(before)).toMatchObject({ status: 'completed', created_count: 1 });
  await run(id);
  // An import that had begun before the request commits after the contacts were deleted.
  await world.kernel.db.run(sql`
    insert into contacts (account_id, audience_id, id, number, country, import_id)
    values (${account_id}, ${existing}, gen_random_uuid(), ${number}, 'GB', ${during.id})`);
  await world.kernel.db.run(sql`
    update audiences set contacts_count = contacts_count + 1 where account_id = ${account_id} and id = ${existing}`);
  await world.kernel.db.run(sql`
    update person_erasures set status = 'running', step = step, complete_date = null where id = ${id}`);
  await run(id);
  expect((await state()).erasure.status).toBe('completed');
  expect((await owner.get(`/v1/people/${number}`)).status).toBe(404);
  // A newer file may contain the number.
  await world.kernel.db.run(sql`
    update person_erasures set create_date = create_date - interval '1 second' where id = ${id}`);
  expect(await start(await upload())).toMatchObject({ status: 'completed', created_count: 2 });
  expect((await owner.get(`/v1/people/${number}`)).body.data.first_name).toBe('Ann');
});

test.each(['US.13491208655302741918', 'aB3/x+9Zk==', 'pr-3f_=='])(
  'a person with only the carrier ID %s can be opened, exported, and erased',
  async (id) => {
    const { account_id } = company;
    const { sender_id } = await makeSender(world.kernel, account_id);
    const texts = [`Where is my order, ${SECRET}?`];
    await makeConversation(world.kernel, { account_id, sender_id, number: id, texts });
    const path = `/v1/people/${encodeURIComponent(id)}`;
    const entries = (await owner.get(`${path}/timeline`)).body.data;
    expect(entries.length).toBeGreaterThan(0);
    expect((await owner.get(`${path}/records`)).body.data[0]).toMatchObject({ value: id });
    expect((await owner.get(`${path}/consents`)).status).toBe(200);
    const { body } = await owner.post(`${path}/erasure`, { number: id });
    expect(body.data).toMatchObject({ number: id, status: 'running' });
    await run(body.data.id);
    expect((await owner.get(`${path}/erasure`)).body.data.erasure.status).toBe('completed');
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*) from messages
      where account_id = ${account_id} and number = ${id} and text like ${`%${SECRET}%`}`);
    expect(count).toBe(0);
  },
);

test('an erasure requires the number, the permission, and a person of the account', async () => {
  const { number, person_id } = trace;
  expect(code(await erase(owner, number, '+447400000001'))).toEqual([400, 2512]);
  expect(code(await owner.post(`/v1/people/${number}/erasure`, { number: '\u0000' }))[0]).toBe(400);
  expect(code(await owner.post(`/v1/people/${number}/erasure`, { number: '🎉' }))).toEqual([400, 2512]);
  const { token } = await makeUser(world.kernel, company.account_id, { permissions: { AUDIENCES: 7 } });
  expect((await erase(world.as(token), number)).status).toBe(403);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(code(await stranger.post(`/v1/people/${person_id}/erasure`, { number }))).toEqual([404, 2391]);
  expect((await stranger.get(`/v1/people/${number}/timeline`)).body.data).toEqual([]);
});

test('an erasure is complete after its worker is killed', async () => {
  const { id } = (await erase(owner, trace.number)).body.data;
  const killed = await startWorkerProcess(world, { FAILPOINT: 'erasure.portion:4' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect((await state()).erasure.status).toBe('running');
  await run(id);
  expect((await state()).erasure).toMatchObject({ status: 'completed', counts: { messages: 2, notes: 1 } });
  expect(await tablesWith(SECRET, company.account_id)).toEqual({});
});
