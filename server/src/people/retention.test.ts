import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heldClock, newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeSender, makeUser, testNumber } from '../test/make.ts';
import { leaveTraces, SECRET, type Trace } from '../test/people/traces.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { runRetention } from './retention.ts';

const DAY_MS = 86_400_000;
const START = Date.now();
let clock: ReturnType<typeof heldClock>;
let world: World;
let company: Company;
let owner: Caller;
let trace: Trace;
let next = 70_000;

beforeAll(async () => {
  clock = heldClock(new Date(START));
  world = await createWorld({ role: 'api', clock });
});
afterAll(() => world?.stop());
beforeEach(async () => {
  clock.advance(START - clock.now().getTime());
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  trace = await leaveTraces(world, company, testNumber(next++));
});

const keep = (content_days: unknown) => owner.put('/v1/accounts/self', { content_days });
/** Runs the job as it would run after the days. */
async function runAfter(days: number, account_id = company.account_id): Promise<void> {
  clock.advance(START + days * DAY_MS - clock.now().getTime());
  await runRetention(world.kernel, { account_id }, new AbortController().signal);
}
const countTexts = async (account_id = company.account_id) =>
  world.kernel.db.one<Record<string, number>>(sql`
    select (select count(*)::int from messages t where account_id = ${account_id} and t::text like ${`%${SECRET}%`})
             as messages,
           (select count(*)::int from fallbacks t where account_id = ${account_id} and t::text like ${`%${SECRET}%`})
             as fallbacks,
           (select count(*)::int from conversation_entries t
            where account_id = ${account_id} and t::text like ${`%${SECRET}%`}) as notes,
           (select count(*)::int from conversation_texts where account_id = ${account_id}) as texts`);
const proofs = (account_id = company.account_id) =>
  world.kernel.db.rows(sql`
    select id, number, status, price_micros, charge, segments_count, create_date from messages
    where account_id = ${account_id} order by id`);

const readMessage = (id: string) =>
  world.kernel.db.one<{ text: string; content: object | null; marks: object | null }>(sql`
    select text, content, marks from messages where account_id = ${company.account_id} and id = ${id}`);

test('contents older than the retention period are deleted, and everything else is kept', async () => {
  const stranger = await makeCompany(world.kernel);
  await leaveTraces(world, stranger, trace.number);
  const failedChecks = async () => (await world.examine()).filter(({ ok }) => !ok).map(({ title }) => title);
  const checks = await failedChecks();
  expect((await keep(90)).body.data.content_days).toBe(90);
  const before = [await countTexts(), await proofs()];
  expect(before[0]).toMatchObject({ messages: 2, fallbacks: 1, notes: 1 });
  await runAfter(89);
  expect([await countTexts(), await proofs()]).toEqual(before);
  await runAfter(91);
  expect(await countTexts()).toEqual({ messages: 0, fallbacks: 0, notes: 0, texts: 0 });
  expect(await proofs()).toEqual(before[1]);
  expect(await readMessage(trace.sent_id)).toMatchObject({
    ...{ text: 'Deleted message', content: null, marks: { erased: true } },
  });
  await runAfter(91, stranger.account_id);
  expect(await countTexts(stranger.account_id), 'an account without a limit keeps all').toEqual(before[0]);
  expect(await failedChecks()).toEqual(checks);
});

test('a message that is scheduled for later keeps its text until it has been sent for as long', async () => {
  await keep(30);
  const id = newId();
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, sender_id, number, "from", "to", text, channel, status, direction, source,
      country, currency, segments_count, encoding, price_micros, charge, schedule)
    values (${company.account_id}, ${id}, ${sender_id}, '447400100200', 'Shop', '447400100200', ${SECRET}, 'SMS',
      'scheduled', 'MT', 'api', 'GB', 'USD', 1, 'GSM-7', 40000, 'none', ${new Date(START + 60 * DAY_MS)})`);
  const text = async () => (await readMessage(id)).text;
  await runAfter(31);
  await runAfter(61);
  expect(await text()).toBe(SECRET);
  await world.kernel.db.run(sql`
    update messages set status = 'delivered' where account_id = ${company.account_id} and id = ${id}`);
  await runAfter(89);
  expect(await text()).toBe(SECRET);
  await runAfter(91);
  expect(await text()).toBe('Deleted message');
  const waiting = sql`select from content_retention_waiting where account_id = ${company.account_id}`;
  expect(await world.kernel.db.rows(waiting)).toEqual([]);
});

test('a stopped run continues where it ended, and a later run reads only new rows', async () => {
  const { account_id } = company;
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, sender_id, number, "from", "to", text, channel, status, direction, source,
      country, currency, segments_count, encoding, price_micros, charge)
    select ${account_id}, new.id, ${trace.sender_id}, '447400100201', 'Shop', '447400100201', ${SECRET}, 'SMS',
      'delivered', 'MT', 'api', 'GB', 'USD', 1, 'GSM-7', 40000, 'none'
    from unnest(${Array.from({ length: 1_200 }, () => newId())}::uuid[]) as new(id)`);
  await keep(30);
  clock.advance(31 * DAY_MS);
  const abort = new AbortController();
  abort.abort();
  await expect(runRetention(world.kernel, { account_id }, abort.signal)).rejects.toThrow(/stopped/);
  await runAfter(31);
  expect(await countTexts()).toMatchObject({ messages: 0 });
  const progress = sql`select messages_count from content_retention where account_id = ${account_id}`;
  expect(await world.kernel.db.one(progress)).toEqual({ messages_count: 1_202 });
  await runAfter(32);
  expect(await world.kernel.db.one(progress)).toEqual({ messages_count: 1_202 });
});

test.each([29, 3_651, 30.5, 'soon'])('a retention of %j days is refused', async (days) => {
  const { status, body } = await keep(days);
  expect([status, body.errors[0].code, body.errors[0].field]).toEqual([400, 1705, 'content_days']);
});

test('only the owner can change how long contents are kept', async () => {
  const colleague = await makeUser(world.kernel, company.account_id, { permissions: { ACCOUNTS: 15 } });
  const { status, body } = await world.as(colleague.token).put('/v1/accounts/self', { content_days: 30 });
  expect([status, body.errors[0].message]).toEqual([403, 'Only the owner can change how long contents are kept']);
  expect((await keep(null)).body.data.content_days).toBeNull();
});
