import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { resumeOverdue } from '../../campaigns/lifecycle/after_payment.ts';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { crowd, fanOutAll, makeStage, readCampaign, startCampaign } from '../../test/campaigns.ts';
import { mailsAbout } from '../../test/mailbox.ts';
import { makeCompany, makeKey } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { charge, credit } from '../billing.ts';
import { checkBalance } from '../low_balance/low_balance.ts';
import { doStep, dunningJob, remind } from './cases.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Noon in Tokyo (UTC+9) on the first day of a month in winter. */
const clock = heldClock(new Date('2026-12-01T03:00:00Z'));
let world: World;
let operator: Caller;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(() => world.stop());

async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await world.kernel.db.run(sql`
    update sessions set expire_date = ${clock.now()}::timestamptz + interval '30 days',
      last_used_date = ${clock.now()}`);
}
const steps = [
  { days: 3, subject: 'First reminder', text: 'Add funds.\n\nThank you.', pauses: false },
  { days: 7, subject: 'Second reminder', text: 'Add funds now.', pauses: false },
  { days: 10, subject: 'Sending is paused', text: 'Pay to continue.', pauses: true },
];
const enable = (enabled = true) => operator.put('/v1/dunning_settings', { enabled, steps });
const spend = (account_id: string, amount_micros: number) =>
  world.kernel.db.tx((tx) => charge(tx, { account_id, amount_micros, key: newId(), note: 'Spent in this test' }));
async function pay(account_id: string, amount_micros: number): Promise<void> {
  await world.kernel.db.tx((tx) => credit(tx, { account_id, amount_micros, kind: 'top_up', key: newId() }));
  await checkBalance(world.kernel, account_id);
}
const reminders = async (account_id: string) =>
  (await mailsAbout(world.kernel, account_id)).map(({ subject }) => subject);
const overdue = async (caller: Caller) => (await caller.get('/v1/overdue')).body.data;
const find = async (account_id: string) =>
  (await operator.get('/v1/overdue_accounts?page_size=100')).body.data.find(
    (row: { account_id: string }) => row.account_id === account_id,
  );
/** The case opens with the job of the balance, which the sweep enqueues for balances without a level. */
async function run(account_id: string): Promise<void> {
  await checkBalance(world.kernel, account_id);
  await remind(world.kernel);
}

test('reminders follow the local days, the last one pauses sending, and a payment resumes it', async () => {
  expect((await operator.get('/v1/dunning_settings')).body.data.enabled, 'off until an operator turns it on').toBe(
    false,
  );
  const stage = await makeStage(world, crowd(4), {
    ...{ balance_micros: 1_000_000, credit_limit_micros: 50_000_000, timezone: 'Asia/Tokyo' },
  });
  const { account_id, caller } = stage;
  await spend(account_id, 11_000_000);
  await run(account_id);
  expect(await overdue(caller)).toBeNull();
  expect((await enable()).status).toBe(200);
  await run(account_id);
  expect(await overdue(caller)).toMatchObject({
    ...{ owed_micros: 10_000_000, paused: false, since: '2026-12-01 03:00:00', next_date: '2026-12-04 00:00:00' },
  });
  await advance(3 * DAY - 3 * HOUR - 1);
  await run(account_id);
  expect(await reminders(account_id), '08:59 in Tokyo').toEqual([]);
  await advance(1);
  for (let runs = 0; runs < 3; runs++) await run(account_id);
  expect(await reminders(account_id)).toEqual(['First reminder']);
  const [mail] = await mailsAbout(world.kernel, account_id);
  expect(mail!.text).toMatch(/owes .*10\.00[\s\S]*Thank you\./);
  await advance(4 * DAY);
  await run(account_id);
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign, 2, 1);
  await advance(3 * DAY);
  for (let runs = 0; runs < 2; runs++) await run(account_id);
  expect(await reminders(account_id)).toEqual(steps.map(({ subject }) => subject));
  expect(await overdue(caller)).toMatchObject({ paused: true, next_date: null });
  expect(await find(account_id)).toMatchObject({ step: 3, pause_date: expect.any(String), exempt_reason: null });

  const key = world.as({ key: await makeKey(world.kernel, account_id) });
  const message = { from: stage.sender_id, to: ['447400000001'], channel: 'SMS', text: 'Hello' };
  const refused = await key.post('/v1/messages', message);
  expect([refused.status, refused.body.errors[0].code]).toEqual([402, 2598]);
  await expect(fanOutAll(world, campaign)).rejects.toMatchObject({ name: 'PAYMENT_OVERDUE' });
  await world.kernel.db.run(sql`
    update campaigns set status = 'paused', status_details = 'overdue'
    where account_id = ${account_id} and id = ${campaign.id}`);

  await pay(account_id, 4_000_000);
  expect(await overdue(caller), 'a part is not enough').toMatchObject({ owed_micros: 6_080_000, paused: true });
  await pay(account_id, 7_000_000);
  expect(await overdue(caller)).toBeNull();
  expect((await key.post('/v1/messages', message)).status).toBe(200);
  await resumeOverdue(world.kernel, account_id);
  await fanOutAll(world, campaign);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'in_progress', fanned_out: 4 });
  const events = await world.kernel.db.rows<{ status: string }>(sql`
    select payload->>'status' as status from events
    where account_id = ${account_id} and type = 'overdue.changed' order by id`);
  expect(events.map(({ status }) => status)).toEqual(['reminded', 'reminded', 'paused', 'settled']);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('a worker that was down for weeks sends one reminder at a time', async () => {
  await enable();
  const company = await makeCompany(world.kernel, { balance_micros: 0, credit_limit_micros: 9_000_000 });
  await spend(company.account_id, 1_000_000);
  await run(company.account_id);
  await advance(30 * DAY);
  await run(company.account_id);
  expect(await reminders(company.account_id)).toEqual(['First reminder']);
  expect(await find(company.account_id)).toMatchObject({ step: 1, pause_date: null });
  await advance(DAY);
  await run(company.account_id);
  expect(await reminders(company.account_id)).toEqual(['First reminder', 'Second reminder']);
});

test('an operator extends and exempts an account, with a reason in the audit log', async () => {
  await enable();
  const company = await makeCompany(world.kernel, { balance_micros: 0, credit_limit_micros: 9_000_000 });
  const { account_id } = company;
  const isPaused = async () =>
    (
      await world.kernel.db.one<{ is: boolean }>(
        sql`select payment_overdue as is from accounts where id = ${account_id}`,
      )
    ).is;
  await spend(account_id, 1_000_000);
  await run(account_id);
  for (let day = 0; day < 14; day++) {
    await advance(DAY);
    await run(account_id);
  }
  expect(await isPaused()).toBe(true);
  const change = (fields: object, id = account_id) =>
    operator.put(`/v1/overdue_accounts/${id}`, { extend_date: null, exempt: false, reason: 'They called', ...fields });
  const until = new Date(clock.now().getTime() + 5 * DAY).toISOString().slice(0, 19);
  expect((await change({ extend_date: until })).body.data).toMatchObject({ pause_date: null, step: 2 });
  expect(await isPaused()).toBe(false);
  await advance(4 * DAY);
  await run(account_id);
  expect(await isPaused(), 'within the extension').toBe(false);
  await advance(DAY + 1);
  await run(account_id);
  expect(await isPaused(), 'after the extension').toBe(true);
  expect((await change({ exempt: true })).body.data).toMatchObject({ exempt_reason: 'They called', next_date: null });
  expect(await isPaused()).toBe(false);
  await advance(30 * DAY);
  await run(account_id);
  expect(await isPaused()).toBe(false);
  expect(await overdue(world.as(company.token))).toBeNull();
  const actions = (await world.as(company.token).get('/v1/audit_log')).body.data.map(
    (row: { action: string }) => row.action,
  );
  expect(actions).toEqual(expect.arrayContaining(['dunning.extended', 'dunning.exempted']));
  expect((await change({ extend_date: '2020-01-01 00:00:00' })).status).toBe(400);
  expect((await change({ reason: '' })).status).toBe(400);
  expect((await change({}, newId())).body.errors[0].code).toBe(2600);
  expect((await world.as(company.token).put(`/v1/overdue_accounts/${account_id}`, {})).status).toBe(403);
});

test('reminders out of order, or a pause before the last one, are refused', async () => {
  const save = async (list: object[]) =>
    (await operator.put('/v1/dunning_settings', { enabled: true, steps: list })).body.errors?.[0].code;
  expect(await save([])).toBe(2601);
  expect(await save([steps[1]!, steps[0]!])).toBe(2601);
  expect(await save([{ ...steps[0], pauses: true }, steps[1]!])).toBe(2601);
  expect(await save([{ ...steps[0], days: -1 }])).toBe(1705);
});

test('a declined auto top-up card leads to reminders, but does not pause sending without a debt', async () => {
  await enable();
  const company = await makeCompany(world.kernel, { balance_micros: 5_000_000 });
  const { account_id } = company;
  await world.kernel.db.run(sql`
    insert into auto_top_ups (account_id, enabled, threshold_micros, amount_micros, method_id, daily_limit,
                              monthly_limit_micros, stop_reason)
    values (${account_id}, true, 10000000, 20000000, ${newId()}, 1, 100000000, 'card_refused')`);
  for (let day = 0; day < 14; day++) {
    await run(account_id);
    await advance(DAY);
  }
  expect(await overdue(world.as(company.token))).toMatchObject({ card_refused: true, owed_micros: 0, paused: false });
  expect(await reminders(account_id)).toHaveLength(3);
  await world.kernel.db.run(sql`update auto_top_ups set enabled = false where account_id = ${account_id}`);
  await run(account_id);
  expect(await overdue(world.as(company.token))).toBeNull();
});

test('a step is done once when its worker is killed', async () => {
  const real = await createWorld({ role: 'api' });
  onTestFinished(() => real.stop());
  const { kernel } = real;
  const admin = real.as((await makeCompany(kernel, { operator: true })).token);
  await admin.put('/v1/dunning_settings', { enabled: true, steps: [{ ...steps[2], days: 0 }] });
  const { account_id } = await makeCompany(kernel, { balance_micros: 0, credit_limit_micros: 9_000_000 });
  await kernel.db.tx((tx) => charge(tx, { account_id, amount_micros: 1_000_000, key: 'spent', note: 'Spent' }));
  await checkBalance(kernel, account_id);
  await kernel.db.run(sql`update dunning_cases set next_date = now()`);
  await kernel.db.tx((tx) => enqueue(tx, dunningJob, {}));
  const killed = await startWorkerProcess(real, { FAILPOINT: 'before_dunning_commit' });
  onTestFinished(() => killed.signal('SIGKILL'));
  expect((await killed.ended).signal).toBe('SIGKILL');
  await remind(kernel);
  await kernel.db.tx((tx) => doStep(tx, kernel, account_id));
  expect((await mailsAbout(kernel, account_id)).map(({ subject }) => subject)).toEqual(['Sending is paused']);
  expect(await kernel.db.rows(sql`select step from dunning_steps where account_id = ${account_id}`)).toEqual([
    { step: 1 },
  ]);
});
