/** Tests automations, with a clock that the tests advance. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  campaignDraft,
  count,
  crowd,
  fanOutAll,
  joinAudience,
  leaveAudience,
  listMessaged,
  makeStage,
  type Stage,
  startCampaign,
  writeBack,
} from '../../test/campaigns.ts';
import { makeChatSender } from '../../test/chat.ts';
import { makeUser, testNumber } from '../../test/make.ts';
import { makeTemplate } from '../../test/templates.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { getCampaign, updateCampaign } from '../campaigns.ts';
import { pauseAfterEpoch } from './after_epoch.ts';
import { startDue } from './schedule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A morning in UTC, so that the order of the time zones does not depend on when the test runs. */
const clock = heldClock(new Date(Math.ceil(Date.now() / DAY) * DAY + 10 * HOUR));

let world: World;
let stage: Stage;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
beforeEach(async () => {
  stage = await makeStage(world, crowd(2));
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
const read = ({ account_id, id }: Pick<Campaign, 'account_id' | 'id'>) => getCampaign(world.kernel.db, account_id, id);
const change = ({ account_id, id }: Campaign, status: 'paused' | 'in_progress' | 'canceled') =>
  world.kernel.db.tx((tx) =>
    updateCampaign(tx, world.kernel, { account_id, user_id: null, key_id: null }, id, { status }),
  );
const automate = (trigger: Record<string, unknown>, overrides: Record<string, unknown> = {}) =>
  startCampaign(stage, { name: 'Hi', trigger, ...overrides });

async function listRuns({ account_id, id }: Campaign): Promise<Campaign[]> {
  const rows = await world.kernel.db.rows<{ id: string }>(sql`
    select id from campaigns where account_id = ${account_id} and series_id = ${id} order by run_date`);
  return Promise.all(rows.map((row) => read({ account_id, id: row.id })));
}

/**
 * Starts the runs that are due on two workers, and creates the messages. Returns the numbers of the recipients, in
 * order.
 */
async function tick(automation: Campaign): Promise<string[]> {
  await Promise.all([startDue(world.kernel), startDue(world.kernel)]);
  await startDue(world.kernel);
  for (const run of await listRuns(automation)) await fanOutAll(world, run);
  return listMessaged(world, automation);
}

const join = (number: string, import_id: string | null = null) => joinAudience(world, stage, number, import_id);
const leave = (number: string) => leaveAudience(world, stage, number);
const setField = (number: string, fields: Record<string, unknown>, timezone = '') =>
  world.kernel.db.run(sql`
    update people set fields = ${JSON.stringify(fields)}::jsonb, timezone = ${timezone}
    where account_id = ${stage.account_id} and number = ${number}`);
const [ann, ben, cleo, dan] = [0, 1, 2, 3].map(testNumber) as [string, string, string, string];

test('people who join an audience get one message, in one run per day', async () => {
  await join(dan);
  const automation = await automate({ on: 'joined' });
  expect(automation).toMatchObject({ status: 'scheduled', schedule: null, trigger: { on: 'joined', reentry: 'once' } });
  expect(await tick(automation)).toEqual([]);
  const added = await stage.caller.post(`/v1/audiences/${stage.audience_id}/contacts`, { number: `+${cleo}` });
  expect(added.status).toBe(201);
  // The database notes when people join, and its clock is ahead of the test's.
  clock.advance(HOUR);
  expect(await tick(automation)).toEqual([cleo]);
  const [first] = await listRuns(automation);
  await applyCarrierStatus(world, first!, 'delivered');
  await count(world, first!);
  // The run stays open, so that it collects the people of the day.
  expect(await read(first!)).toMatchObject({ status: 'in_progress', total: 1, counts: { delivered: 1 } });
  await join(testNumber(4), newId());
  expect(await tick(automation)).toEqual([cleo]);
  await join(testNumber(5));
  expect(await tick(automation)).toEqual([cleo, testNumber(5)]);
  await leave(cleo);
  await join(cleo);
  expect(await tick(automation)).toEqual([cleo, testNumber(5)]);
  expect(await listRuns(automation)).toMatchObject([{ total: 2, fanned_out: 2, series_id: automation.id }]);
  const inUse = await stage.caller.delete(`/v1/audiences/${stage.audience_id}`);
  expect(inUse.status).toBe(409);
  const listed = await stage.caller.get('/v1/campaigns?filter[automations]=true');
  expect(listed.body.data.map(({ id }: Campaign) => id)).toEqual([automation.id]);
  clock.advance(DAY);
  await join(testNumber(6));
  expect(await tick(automation)).toHaveLength(3);
  await applyCarrierStatus(world, first!, 'delivered');
  await count(world, first!);
  expect((await listRuns(automation)).map(({ status }) => status)).toEqual(['completed', 'in_progress']);
});

test('a paused automation gets no more people, and the earlier ones wait', async () => {
  const automation = await automate({ on: 'joined', reentry: 'every' });
  await join(cleo);
  await change(automation, 'paused');
  await join(dan);
  expect(await tick(automation)).toEqual([]);
  await change(automation, 'in_progress');
  expect(await tick(automation)).toEqual([cleo]);
  // A person who joins again gets the message again, but not in the same run.
  await leave(cleo);
  await join(cleo);
  expect(await tick(automation)).toEqual([cleo]);
  clock.advance(DAY);
  await leave(cleo);
  await join(cleo);
  expect(await tick(automation)).toEqual([cleo, cleo]);
  await join(testNumber(7));
  await leave(testNumber(7));
  await join(testNumber(8));
  await change(automation, 'canceled');
  expect(await tick(automation)).toEqual([cleo, cleo]);
});

test('late entries of a stopped automation do not delay other automations', async () => {
  const [paused, ended] = await Promise.all([
    automate({ on: 'joined', reentry: 'every' }),
    automate({ on: 'joined' }, { name: 'Ended' }),
  ]);
  await change(paused, 'paused');
  await change(ended, 'canceled');
  await join(cleo);
  // Simulates a transaction that added the person earlier and commits now. The last person has been deleted.
  for (const campaign_id of [paused.id, ended.id, newId()])
    await world.kernel.db.run(sql`
      insert into campaign_entries (account_id, campaign_id, number, occurrence, due_date)
      select ${stage.account_id}, ${campaign_id}, ${cleo}, n, ${new Date(clock.now().getTime() - HOUR)}
      from generate_series(1, 1001) n`);
  const active = await automate({ on: 'joined' }, { name: 'Active' });
  await join(dan);
  clock.advance(HOUR);
  await startDue(world.kernel);
  expect(await listRuns(active)).toMatchObject([{ total: 1 }]);
  const due = await world.kernel.db.rows(sql`
    select from campaign_entries where account_id = ${stage.account_id} and run_id is null and due_date < 'infinity'`);
  expect(due).toEqual([]);
  await change(paused, 'in_progress');
  expect(await tick(paused)).toEqual([cleo]);
});

test('without funds, the day’s run pauses, and everyone in it gets the message once it resumes', async () => {
  stage = await makeStage(world, crowd(1), { balance_micros: 0 });
  const automation = await automate({ on: 'joined' });
  await join(cleo);
  expect(await tick(automation)).toEqual([]);
  await join(dan);
  expect(await tick(automation)).toEqual([]);
  const [run] = await listRuns(automation);
  expect(run).toMatchObject({ status: 'paused', status_details: 'balance' });
  await world.kernel.db.run(sql`
    update balances set credit_limit_micros = 100000000 where account_id = ${stage.account_id}`);
  await change(run!, 'in_progress');
  expect(await tick(automation)).toEqual([cleo, dan]);
  expect(await read(automation)).toMatchObject({ status: 'scheduled' });
});

test('a merged person gets one message, at the kept number, and an erased person gets none', async () => {
  const automation = await automate({ on: 'joined' });
  await join(cleo);
  await join(dan);
  await join(testNumber(9));
  const merged = await stage.caller.post(`/v1/people/${cleo}/merges`, { person: dan });
  expect(merged.status).toBe(201);
  await leave(testNumber(9));
  expect(await tick(automation)).toEqual([cleo]);
  await join(dan);
  expect(await tick(automation)).toHaveLength(2);
});

test('birthdays are in the recipient’s time zone, once, even if the date changes', async () => {
  const created = await stage.caller.post('/v1/contact_fields', { key: 'birthday', label: 'Birthday', kind: 'date' });
  await join(cleo);
  const tomorrow = iso(clock.now().getTime() + DAY);
  await setField(ann, { birthday: `1990${tomorrow.slice(4)}` }, 'Pacific/Auckland');
  await setField(ben, { birthday: `1980${tomorrow.slice(4)}` }, 'America/Los_Angeles');
  await setField(cleo, { birthday: `1980-01-0${tomorrow.endsWith('01-01') ? 2 : 1}` });
  const automation = await automate({ on: 'date', field: 'birthday', time: '09:00' });
  expect((await stage.caller.delete(`/v1/contact_fields/${created.body.data.id}`)).status).toBe(409);
  const target = Date.parse(`${tomorrow}T09:00:00Z`);
  const goTo = (at: number) => clock.advance(at - clock.now().getTime());
  // Auckland is 12 or 13 hours ahead, and Los Angeles 7 or 8 hours behind.
  goTo(target - 11 * HOUR);
  expect(await tick(automation)).toEqual([ann]);
  await setField(ann, { birthday: `1990${iso(target + DAY).slice(4)}` }, 'Pacific/Auckland');
  goTo(target + 9 * HOUR);
  expect(await tick(automation)).toEqual([ann, ben]);
  goTo(target + DAY);
  expect(await tick(automation)).toEqual([ann, ben]);
  const runs = await listRuns(automation);
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ total: 2, run_date: `${tomorrow} 09:00:00` });
});

test('February 29 counts as February 28 in other years, and days count before and after a date', async () => {
  await stage.caller.post('/v1/contact_fields', { key: 'born', label: 'Born', kind: 'date' });
  await stage.caller.post('/v1/contact_fields', { key: 'due', label: 'Due', kind: 'date' });
  const year = clock.now().getUTCFullYear() + 1;
  const leap = (one: number) => new Date(Date.UTC(one, 1, 29)).getUTCMonth() === 1;
  const plain = leap(year) ? year + 1 : year;
  const timing = { missed_schedule: 'send' };
  const born = await automate({ on: 'date', field: 'born', time: '10:00' }, { timing });
  const due = await automate(
    { on: 'date', field: 'due', time: '10:00', yearly: false, offset_days: -3 },
    { name: 'Due', timing },
  );
  await setField(ann, { born: '2000-02-29', due: `${plain}-03-03` });
  await setField(ben, { born: '2000-03-01', due: `${plain}-03-02` });
  clock.advance(Date.parse(`${plain}-02-27T22:00:00Z`) - clock.now().getTime());
  for (const automation of [born, due]) await tick(automation);
  clock.advance(12 * HOUR + 60_000);
  expect(await tick(born)).toEqual([ann]);
  expect(await tick(due)).toEqual([ann]);
  clock.advance(DAY);
  expect(await tick(born)).toEqual([ann, ben]);
  expect(await tick(due)).toEqual([ann]);
});

test('people who have not replied get a message after some days, once per campaign', async () => {
  const source = await startCampaign(stage, { name: 'Offer' });
  await fanOutAll(world, source);
  await applyCarrierStatus(world, source, 'delivered');
  const automation = await automate({ on: 'no_reply', campaign_id: source.id, wait_days: 2 }, { audience: null });
  await count(world, source);
  clock.advance(HOUR);
  await writeBack(world, stage, ben, 'Tell me more');
  expect(await tick(automation)).toEqual([]);
  clock.advance(2 * DAY);
  expect(await tick(automation)).toEqual([ann]);
  clock.advance(2 * DAY);
  expect(await tick(automation)).toEqual([ann]);
  expect(await listRuns(automation)).toMatchObject([{ total: 1, audience_id: null }]);
});

const addKeyword = async (does: object = { reply: 'Thank you' }): Promise<string> =>
  (await stage.caller.post('/v1/keywords', { words: ['summer'], ...does })).body.data.id;

test('a keyword starts the message for anyone who sends it, as often as the rule allows', async () => {
  const id = await addKeyword({ effect: 'automation' });
  const automation = await automate({ on: 'keyword', keyword_id: id, reentry_days: 2 }, { audience: null });
  expect((await stage.caller.delete(`/v1/keywords/${id}`)).body.errors[0].code).toBe(2632);
  await writeBack(world, stage, cleo, 'Summer');
  await writeBack(world, stage, cleo, 'SUMMER!');
  await writeBack(world, stage, dan, 'winter');
  expect(await tick(automation)).toEqual([cleo]);
  clock.advance(DAY);
  await writeBack(world, stage, cleo, 'summer');
  expect(await tick(automation)).toEqual([cleo]);
  clock.advance(DAY + HOUR);
  await writeBack(world, stage, cleo, 'summer');
  expect(await tick(automation)).toEqual([cleo, cleo]);
  const replies = await world.kernel.db.rows(sql`
    select from keyword_replies where account_id = ${stage.account_id}`);
  expect(replies).toEqual([]);
});

test('after a backup was restored, people who waited get no message until a user resumes the automation', async () => {
  const automation = await automate({ on: 'joined' });
  const idle = await automate({ on: 'keyword', keyword_id: await addKeyword() }, { name: 'Idle', audience: null });
  await join(cleo);
  await world.kernel.db.tx(pauseAfterEpoch);
  clock.advance(HOUR);
  expect(await tick(automation)).toEqual([]);
  expect(await read(automation)).toMatchObject({ status: 'paused', status_details: 'restored' });
  expect(await read(idle)).toMatchObject({ status: 'scheduled' });
  await join(dan);
  await change(automation, 'in_progress');
  expect(await tick(automation)).toEqual([cleo]);
});

test('invalid automations are refused', async () => {
  const refuse = async (overrides: Record<string, unknown>) =>
    (await stage.caller.post('/v1/campaigns', campaignDraft(stage, overrides))).body.errors[0].code;
  expect(await refuse({ trigger: { on: 'moon' } })).toBe(2630);
  expect(await refuse({ trigger: { on: 'date', field: 'nothing' } })).toBe(2630);
  expect(await refuse({ trigger: { on: 'date' } })).toBe(2630);
  expect(await refuse({ trigger: { on: 'joined', reentry: 'days', reentry_days: 0 } })).toBe(2630);
  const other = await makeStage(world, crowd(1));
  const foreign = await startCampaign(other);
  expect(await refuse({ trigger: { on: 'no_reply', campaign_id: foreign.id } })).toBe(2630);
  const canary = { recipients: 1, percent: null, wait_minutes: 5 };
  expect(await refuse({ trigger: { on: 'joined' }, safety: { canary } })).toBe(2631);
  expect(await refuse({ trigger: { on: 'joined' }, audience: null })).toBe(1605);
  await world.kernel.db.run(sql`
    insert into campaign_triggers (account_id, campaign_id, kind, target_id, imports)
    select ${stage.account_id}, gen_random_uuid(), 'joined', gen_random_uuid(), false from generate_series(1, 100)`);
  expect(await refuse({ trigger: { on: 'joined' } })).toBe(2631);
});

test('an automation always needs approval if there is a rule, and its runs need no separate approval', async () => {
  const permissions = { CAMPAIGNS: 7, AUDIENCES: 1, SENDERS: 1 };
  const { token } = await makeUser(world.kernel, stage.account_id, { permissions });
  const rule = { campaign_approval: { recipients: 2 } };
  expect((await stage.caller.put('/v1/accounts/self', rule)).status).toBe(200);
  const automation = await automate({ on: 'joined', imports: true });
  expect(automation).toMatchObject({ status: 'in_complete', approval: { status: 'requested', target: 'scheduled' } });
  await join(cleo);
  expect(await tick(automation)).toEqual([]);
  const decision = { approval_id: automation.approval!.id, decision: 'approved', reason: '' };
  const approved = await world.as(token).post(`/v1/campaigns/${automation.id}/approvals`, decision);
  expect(approved.body.data).toMatchObject({ status: 'scheduled', approval: { status: 'approved' } });
  const joined = [3, 4, 5, 6].map(testNumber);
  for (const number of joined) await join(number, newId());
  clock.advance(HOUR);
  expect(await tick(automation)).toEqual(joined);
  // A changed message has not been approved.
  const changed = await stage.caller.put(`/v1/campaigns/${automation.id}`, { text: 'Another text' });
  expect(changed.body.data).toMatchObject({ status: 'in_complete', approval: { status: 'requested' } });
  await join(testNumber(7));
  expect(await tick(automation)).toEqual(joined);
});

test('without its sender, the run pauses, and without its field, the automation stays paused', async () => {
  const created = await stage.caller.post('/v1/contact_fields', { key: 'expiry', label: 'Expiry', kind: 'date' });
  const expiry = await automate({ on: 'date', field: 'expiry' });
  const welcome = await automate({ on: 'joined' }, { name: 'Welcome' });
  await change(expiry, 'paused');
  expect((await stage.caller.delete(`/v1/contact_fields/${created.body.data.id}`)).status).toBeLessThan(300);
  const resumed = await stage.caller.put(`/v1/campaigns/${expiry.id}`, { status: 'in_progress' });
  expect(resumed.body.errors[0].code).toBe(2630);
  expect(await read(expiry)).toMatchObject({ status: 'paused' });
  expect((await stage.caller.delete(`/v1/senders/${stage.sender_id}`)).status).toBeLessThan(300);
  await join(cleo);
  expect(await tick(welcome)).toEqual([]);
  expect(await read(welcome)).toMatchObject({ status: 'scheduled' });
  expect(await listRuns(welcome)).toMatchObject([{ status: 'paused', status_details: 'sender' }]);
});

test('chat automations send approved templates with the values of each person', async () => {
  for (const channel of ['WHATSAPP', 'VIBER'] as const) {
    stage = await makeStage(world, crowd(1));
    const { account_id } = stage;
    const { sender_id } = await makeChatSender(world.kernel, account_id, channel);
    await world.kernel.db.run(sql`update audiences set channel = ${channel} where id = ${stage.audience_id}`);
    const template = await makeTemplate(world.kernel, account_id, { channel, sender_id, external_id: newId() });
    const draft = { channel: channel.toLowerCase(), from: sender_id, text: undefined, template };
    const automation = await automate({ on: 'joined' }, draft);
    await stage.caller.post(`/v1/audiences/${stage.audience_id}/contacts`, { number: `+${cleo}`, first_name: 'Cleo' });
    await stage.caller.post(`/v1/audiences/${stage.audience_id}/contacts`, { number: `+${dan}` });
    expect(await tick(automation)).toEqual([cleo, dan]);
    const texts = await world.kernel.db.rows(sql`
      select text, channel from messages where account_id = ${account_id} order by number`);
    expect(texts).toEqual(['Cleo', 'there'].map((name) => ({ text: `Hello ${name}, welcome.`, channel })));
  }
});

test('a person gets one message when the worker is killed in the start of the run and two workers follow', async () => {
  const own = await createWorld({ role: 'api' });
  try {
    stage = await makeStage(own, crowd(1));
    const automation = await automate({ on: 'joined' });
    await stage.caller.post(`/v1/audiences/${stage.audience_id}/contacts`, { number: `+${cleo}` });
    const runs = () => own.kernel.db.rows(sql`select 1 from campaigns where series_id = ${automation.id}`);
    const killed = await startWorkerProcess(own, { FAILPOINT: 'before_run_commit' });
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(await runs()).toEqual([]);
    const late = await startWorkerProcess(own, { FAILPOINT: 'before_fanout_commit' });
    expect((await late.ended).signal).toBe('SIGKILL');
    expect(await listMessaged(own, automation)).toEqual([]);
    const workers = await Promise.all([startWorkerProcess(own), startWorkerProcess(own)]);
    await until('the message exists', async () => (await listMessaged(own, automation)).length > 0);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await listMessaged(own, automation)).toEqual([cleo]);
    expect(await runs()).toHaveLength(1);
    expect(await broken(own)).toEqual([]);
  } finally {
    await own.stop();
  }
});
