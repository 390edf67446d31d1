/** Digests: who gets one, when, and that each is sent once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { readWords } from '../../kernel/mail/mail.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { digestJob, sendDigests } from './digest.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender_id: string;
let next = 447410009000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel);
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
});

const DIGEST = '/v1/digest_settings';
const signal = new AbortController().signal;
const send = () => sendDigests(world.kernel, signal);
const converse = (more: object = {}) =>
  makeConversation(world.kernel, { account_id: company.account_id, sender_id, number: String(next++), ...more });
const mails = async () => {
  const rows = await world.kernel.db.rows<Parameters<typeof readWords>[1] & { recipient: string }>(sql`
    select id, recipient, sealed, subject, html, body from mails
    where account_id = ${company.account_id} and dedupe_key like 'digest %' order by create_date, id`);
  return Promise.all(rows.map(async (row) => ({ to: row.recipient, ...(await readWords(world.kernel, row)) })));
};
const makeDue = (interval = '1 minute') =>
  world.kernel.db.run(sql`
    update inbox_digests set next_date = now() - ${interval}::interval where account_id = ${company.account_id}`);
const minutesLeft = async () =>
  (
    await world.kernel.db.one<{ minutes: number }>(sql`
      select round(extract(epoch from next_date - now()) / 60)::int as minutes from inbox_digests
      where account_id = ${company.account_id}`)
  ).minutes;

test('a digest is off by default, and is sent only if something waits', async () => {
  expect((await owner.get(DIGEST)).body.data).toMatchObject({ every_hours: null, time: '08:00' });
  await converse();
  await send();
  expect(await mails()).toEqual([]);
  const saved = await owner.put(DIGEST, { every_hours: 4, timezone: 'europe/berlin' });
  expect(saved.body.data).toMatchObject({ every_hours: 4, time: '08:00', timezone: 'Europe/Berlin' });
  await makeDue();
  await send();
  const [mail] = await mails();
  expect(mail).toMatchObject({
    to: `${company.user_id}@test.localhost`,
    subject: 'Your inbox: 1 unread, unassigned conversation',
  });
  expect(mail!.text).toContain('/settings/user#notifications');
  const endings = [sql`status = 'BLOCKED'`, sql`close_date = now()`];
  for (const ending of endings) {
    await world.kernel.db.run(sql`update accounts set ${ending} where id = ${company.account_id}`);
    await makeDue();
    await send();
    expect(await mails()).toHaveLength(1);
    await world.kernel.db.run(sql`
      update accounts set status = 'VERIFIED', close_date = null where id = ${company.account_id}`);
  }
  await world.kernel.db.run(sql`
    update conversations set unread_count = 0, waiting_since = null where account_id = ${company.account_id}`);
  await makeDue();
  await send();
  expect(await mails()).toHaveLength(1);
  await owner.put(DIGEST, { every_hours: null });
  expect(await world.kernel.db.rows(sql`select from inbox_digests where account_id = ${company.account_id}`)).toEqual(
    [],
  );
});

test('a digest shows only conversations that the user may view, with hostile names as text', async () => {
  const permissions = { MESSAGES: 15 };
  const agent = await makeUser(world.kernel, company.account_id, { permissions });
  const id = await converse({ assignee_id: agent.user_id });
  await world.kernel.db.run(sql`
    update conversations set profile_name = '<b>Zoë</b> 🦊', waiting_since = now() - interval '1 hour'
    where id = ${id}`);
  await converse();
  await owner.put('/v1/inbox_settings', { response_target_minutes: 5 });
  await world.kernel.db.run(sql`select set_clock(${company.account_id}, ${id})`);
  await owner.post(`/v1/conversations/${id}/notes`, { text: 'Call back', mentions: [agent.user_id] });
  await world.as(agent.token).put(DIGEST, { every_hours: 24 });
  await makeDue();
  await send();
  const { text, html, to } = (await mails())[0]!;
  expect(to).toBe(`${agent.user_id}@test.localhost`);
  expect(text).toContain('1 overdue conversation\n\n1 conversation is waiting for your reply\n');
  expect(text).toContain('1 conversation mentions you');
  expect(text).not.toContain('unassigned');
  expect(text).toContain(`/inbox/assigned-to-me?conversation=${id}`);
  expect(html).not.toContain('<b>Zoë');
  await world.kernel.db.run(sql`update users set permissions = '{}' where id = ${agent.user_id}`);
  await makeDue();
  await send();
  expect(await mails()).toHaveLength(1);
});

test('one digest is sent for each period, with two workers and after one is killed', async () => {
  await converse();
  await owner.put(DIGEST, { every_hours: 2 });
  await makeDue();
  await world.kernel.db.tx((tx) => enqueue(tx, digestJob, {}));
  const killed = await startWorkerProcess(world, { FAILPOINT: 'before_digest_commit' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect(await mails()).toEqual([]);
  await Promise.all([send(), send()]);
  await send();
  expect(await mails()).toHaveLength(1);
  // Digests missed while no worker ran become one digest, and the next one keeps the schedule.
  await makeDue('301 minutes');
  await send();
  expect(await mails()).toHaveLength(2);
  expect(await minutesLeft()).toBe(59);
});

test('a digest in quiet hours waits for their end, and a daily digest is sent at its local time', async () => {
  await converse();
  const { now } = await world.kernel.db.one<{ now: string }>(sql`
    select to_char(now() at time zone timezone, 'HH24:MI') as now from accounts where id = ${company.account_id}`);
  const hour = (by: number) => `${String((Number(now.slice(0, 2)) + by + 24) % 24).padStart(2, '0')}:00`;
  await owner.put('/v1/push_settings', { quiet_hours: { from: hour(-1), until: hour(2) } });
  await owner.put(DIGEST, { every_hours: 24, time: '09:30', timezone: 'America/New_York' });
  expect(
    await world.kernel.db.one(sql`
      select to_char(next_date at time zone 'America/New_York', 'HH24:MI') as at,
             next_date > now() and next_date <= now() + interval '25 hours' as soon
      from inbox_digests where account_id = ${company.account_id}`),
  ).toEqual({ at: '09:30', soon: true });
  await makeDue();
  await send();
  expect(await mails()).toEqual([]);
  const left = await minutesLeft();
  expect(left).toBeGreaterThanOrEqual(60);
  expect(left).toBeLessThanOrEqual(120);
  await owner.put('/v1/push_settings', { quiet_hours: null });
  await makeDue();
  await send();
  expect(await mails()).toHaveLength(1);
});

test('unknown periods, times, and time zones are refused', async () => {
  for (const body of [
    { every_hours: 3 },
    { every_hours: '2\u0000' },
    { time: '24:00' },
    { time: '8:00' },
    { timezone: 'Mars/Base' },
    { timezone: '+02:00' },
    { timezone: 'Europe/Berlin\u0000' },
    { timezone: '🦊' },
  ])
    expect([body, (await owner.put(DIGEST, body)).status]).toEqual([body, 400]);
});
