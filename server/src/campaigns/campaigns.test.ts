import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  campaignDraft,
  count,
  crowd,
  fanOutAll,
  listEvents,
  makeStage,
  readBalance,
  readCampaign,
  startCampaign,
} from '../test/campaigns.ts';
import { makeAudience, makeSender, makeUser } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { runCancelQueued } from './lifecycle/cancel.ts';
import { startDue } from './lifecycle/schedule.ts';

let world: World;
const clock = heldClock(new Date());
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const inHours = (hours: number) =>
  new Date(clock.now().getTime() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const errorCode = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;

describe('a new campaign', () => {
  test('starts immediately with a frozen audience and without a charge', async () => {
    const stage = await makeStage(world, crowd(3));
    const campaign = await startCampaign(stage, { name: 'Spring' });
    expect(campaign).toMatchObject({
      name: 'Spring',
      status: 'in_progress',
      total: 3,
      fanned_out: 0,
      counts: { waiting: 3, enroute: 0 },
      cost_micros: 0,
      audience_id: stage.audience_id,
      sender_id: stage.sender_id,
    });
    expect(campaign.start_date).not.toBeNull();
    expect(await readBalance(world, stage)).toEqual({ available_micros: 100_000_000, held_micros: 0 });
    expect(await listEvents(world, stage, 'campaign.created')).toEqual([campaign]);
  });

  test('is created only once for a repeated Idempotency-Key', async () => {
    const stage = await makeStage(world, crowd(2));
    const call = (text: string) =>
      stage.caller.post('/v1/campaigns', campaignDraft(stage, { text }), { 'idempotency-key': 'one' });
    const replies = await Promise.all([call('Hi'), call('Hi'), call('Hi')]);
    const created = replies.filter((reply) => reply.status === 201);
    expect(new Set(created.map((reply) => reply.body.data.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.status !== 201).every((reply) => errorCode(reply) === 1010)).toBe(true);
    expect((await call('Hi')).body).toEqual(created[0]!.body);
    expect(errorCode(await call('Another text'))).toBe(1011);
    expect((await stage.caller.get('/v1/campaigns')).body.pagination.total).toBe(1);
  });

  test('is named after the account’s local time when it has no name, even when created concurrently', async () => {
    const stage = await makeStage(world, crowd(1), { timezone: 'Asia/Yerevan' });
    const created = await Promise.all([1, 2, 3].map(() => startCampaign(stage, { start: false })));
    const local = new Date(clock.now().getTime() + 4 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
    expect(created.map((campaign) => campaign.name).sort()).toEqual([
      `Campaign ${local}`,
      `Campaign ${local} (2)`,
      `Campaign ${local} (3)`,
    ]);
  });

  test('must have a unique name in its account regardless of case', async () => {
    const stage = await makeStage(world, crowd(1));
    const first = await startCampaign(stage, { name: 'Spring', start: false });
    const again = await stage.caller.post('/v1/campaigns', { name: 'SPRING', start: false });
    expect([again.status, errorCode(again)]).toEqual([409, 1610]);
    const other = await startCampaign(stage, { name: 'Summer', start: false });
    expect(errorCode(await stage.caller.put(`/v1/campaigns/${other.id}`, { name: 'spring' }))).toBe(1610);
    expect((await stage.caller.put(`/v1/campaigns/${first.id}`, { name: 'SPRING' })).status).toBe(200);
    const elsewhere = await makeStage(world, crowd(1));
    expect((await startCampaign(elsewhere, { name: 'Spring', start: false })).name).toBe('Spring');
  });

  test('can be saved as an empty draft, which reports every missing field when it is started', async () => {
    const stage = await makeStage(world, crowd(1));
    const draft = (await stage.caller.post('/v1/campaigns', { start: false })).body.data;
    expect(draft).toMatchObject({ status: 'in_complete', sender_id: null, audience_id: null, text: '', total: 0 });
    const refusal = await stage.caller.put(`/v1/campaigns/${draft.id}`, { status: 'in_progress' });
    expect(refusal.status).toBe(400);
    expect(refusal.body.errors.map((error: { code: number }) => error.code)).toEqual([1603, 1607, 1605]);
    expect((await readCampaign(stage, draft.id)).status).toBe('in_complete');
  });

  test.each([
    ['an unknown variable', { text: 'Hi {nickname}' }, 1615],
    ['more than ten segments', { text: '\u0436'.repeat(700) }, 1546],
    ['blank text', { text: '   ' }, 1607],
    ['an unknown sender', { from: 'NOBODY' }, 1604],
    ['a schedule in the past', { schedule: '2020-01-01 10:00:00' }, 1522],
    ['an invalid schedule', { schedule: '2026-13-45 10:00' }, 1609],
    ['an unknown audience', { audience: '0198b7a0-0000-7000-8000-000000000000' }, 1606],
  ])('is rejected and not stored when it has %s', async (_, fields, code) => {
    const stage = await makeStage(world, crowd(1));
    const reply = await stage.caller.post('/v1/campaigns', campaignDraft(stage, fields));
    expect([errorCode(reply), (await stage.caller.get('/v1/campaigns')).body.pagination.total]).toEqual([code, 0]);
    expect(await listEvents(world, stage, 'campaign.created')).toEqual([]);
  });

  test('cannot start with a pending sender, an empty audience, or an unverified account', async () => {
    const stage = await makeStage(world, crowd(1));
    const { sender_id } = await makeSender(world.kernel, stage.account_id, { status: 'pending' });
    expect(errorCode(await stage.caller.post('/v1/campaigns', campaignDraft(stage, { from: sender_id })))).toBe(1604);
    const empty = await makeStage(world, []);
    expect(errorCode(await empty.caller.post('/v1/campaigns', campaignDraft(empty)))).toBe(1618);
    const waiting = await makeStage(world, crowd(1), { status: 'UNVERIFIED' });
    expect(errorCode(await waiting.caller.post('/v1/campaigns', campaignDraft(waiting)))).toBe(1524);
    expect((await waiting.caller.post('/v1/campaigns', campaignDraft(waiting, { start: false }))).status).toBe(201);
  });

  test('can start only when the balance covers its cost', async () => {
    const stage = await makeStage(world, crowd(5), { balance_micros: 5 * 40_000 - 1 });
    const reply = await stage.caller.post('/v1/campaigns', campaignDraft(stage));
    expect([reply.status, errorCode(reply)]).toEqual([402, 7909]);
    const rich = await makeStage(world, crowd(5), { balance_micros: 5 * 40_000 });
    const campaign = await startCampaign(rich);
    await fanOutAll(world, campaign);
    expect(await readBalance(world, rich)).toEqual({ available_micros: 0, held_micros: 200_000 });
  });

  test('can be created but not changed by a user with only the add permission', async () => {
    const stage = await makeStage(world, crowd(1));
    const member = await makeUser(world.kernel, stage.account_id, { permissions: { CAMPAIGNS: 3 } });
    const created = await world.as(member.token).post('/v1/campaigns', campaignDraft(stage, { start: false }));
    expect(created.status).toBe(201);
    const refusal = await world.as(member.token).put(`/v1/campaigns/${created.body.data.id}`, { name: 'X' });
    expect([refusal.status, errorCode(refusal)]).toEqual([403, 1136]);
  });
});

describe('a campaign', () => {
  test('sends one message per recipient and balances the ledger after it is paused and resumed', async () => {
    const stage = await makeStage(world, crowd(25));
    const campaign = await startCampaign(stage);
    await fanOutAll(world, campaign, 10, 1);
    const setStatus = (status: string) => stage.caller.put(`/v1/campaigns/${campaign.id}`, { status });
    expect((await setStatus('paused')).body.data).toMatchObject({
      status: 'paused',
      status_details: 'user',
      fanned_out: 10,
    });
    // A second user pauses the same campaign.
    expect((await setStatus('paused')).status).toBe(200);
    const holds = await world.kernel.db.rows(sql`
      select 1 from dispatch where account_id = ${stage.account_id} and not_before = 'infinity'`);
    expect(holds).toHaveLength(10);
    await fanOutAll(world, campaign);
    expect((await readCampaign(stage, campaign.id)).fanned_out).toBe(10);

    expect((await setStatus('in_progress')).body.data).toMatchObject({ status: 'in_progress', status_details: null });
    expect(
      await world.kernel.db.rows(sql`
      select 1 from dispatch where account_id = ${stage.account_id} and not_before = 'infinity'`),
    ).toEqual([]);
    await fanOutAll(world, campaign, 10);
    await applyCarrierStatus(world, campaign, 'sent');
    await count(world, campaign);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({
      status: 'completed',
      fanned_out: 25,
      counts: { waiting: 0, enroute: 0, sent: 25, delivered: 0 },
      cost_micros: 1_000_000,
    });
    // Receipts keep arriving after the campaign ends.
    await applyCarrierStatus(world, campaign, 'delivered', { of: 'sent', limit: 20 });
    await count(world, campaign);
    const completed = await readCampaign(stage, campaign.id);
    expect(completed).toMatchObject({ status: 'completed', messages: { total: 25, delivered: 20, failed: 0 } });
    expect(completed.counts).toMatchObject({ sent: 5, delivered: 20 });
    expect(await readBalance(world, stage)).toEqual({ available_micros: 99_000_000, held_micros: 0 });
    const updates = await listEvents(world, stage, 'campaign.updated');
    expect(updates.map((row) => row.status)).toEqual(['paused', 'paused', 'in_progress', 'completed']);
    expect((await listEvents(world, stage, 'campaign.progressed')).at(-1)).toEqual(completed);
  });

  test('cancels queued messages, releases their holds, and charges for sent ones when it is canceled', async () => {
    const stage = await makeStage(world, crowd(30));
    const campaign = await startCampaign(stage);
    await fanOutAll(world, campaign, 10, 2);
    await applyCarrierStatus(world, campaign, 'sent', { limit: 5 });
    const reply = await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'canceled' });
    expect(reply.body.data).toMatchObject({ status: 'canceled', skipped: { canceled: 10 } });
    expect(reply.body.data.end_date).not.toBeNull();
    // From this moment no message can be claimed, even if the job has not run yet.
    expect(
      await world.kernel.db.rows(sql`
      select 1 from dispatch where account_id = ${stage.account_id} and not_before < 'infinity'`),
    ).toEqual([]);
    expect((await stage.caller.delete(`/v1/campaigns/${campaign.id}`)).status).toBe(409);
    // Two of the ten contacts without a message leave the audience, and the job runs twice after a crash.
    await world.kernel.db.run(sql`
      delete from contacts where account_id = ${stage.account_id} and id in (
        select id from contacts where account_id = ${stage.account_id} order by id desc limit 2)`);
    await world.kernel.db.run(sql`
      update audiences set contacts_count = contacts_count - 2 where account_id = ${stage.account_id}`);
    await runCancelQueued(world.kernel, campaign);
    await runCancelQueued(world.kernel, campaign);
    await count(world, campaign);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({
      counts: { sent: 5, canceled: 15, enroute: 0, waiting: 0 },
      cost_micros: 200_000,
      total: 30,
      fanned_out: 20,
      skipped: { canceled: 8, removed: 2 },
      lists_canceled: true,
    });
    const unsent = await stage.caller.get(`/v1/campaigns/${campaign.id}/skips?filter[reason]=canceled`);
    expect(unsent.body.pagination.total).toBe(8);
    expect(await readBalance(world, stage)).toEqual({ available_micros: 99_800_000, held_micros: 0 });
    await fanOutAll(world, campaign);
    expect(errorCode(await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' }))).toBe(1611);
    expect((await stage.caller.delete(`/v1/campaigns/${campaign.id}`)).status).toBe(204);
    expect((await stage.caller.get(`/v1/campaigns/${campaign.id}`)).status).toBe(404);
  });

  test('does not cancel a message that is being submitted', async () => {
    const stage = await makeStage(world, crowd(4));
    const campaign = await startCampaign(stage);
    await fanOutAll(world, campaign);
    await world.kernel.db.run(sql`
      update dispatch set stage = 'submitting' where (account_id, message_id) in (
        select account_id, id from messages where account_id = ${stage.account_id} order by id limit 1)`);
    await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'canceled' });
    await runCancelQueued(world.kernel, campaign);
    expect(await applyCarrierStatus(world, campaign, 'sent')).toBe(1);
    await count(world, campaign);
    expect((await readCampaign(stage, campaign.id)).counts).toMatchObject({ sent: 1, canceled: 3 });
  });

  test('rejects a status change that its lifecycle does not allow', async () => {
    const stage = await makeStage(world, crowd(1));
    const campaign = await startCampaign(stage, { start: false });
    const changeStatus = async (status: string) => {
      const reply = await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status });
      return reply.status === 200 ? reply.body.data.status : errorCode(reply);
    };
    expect([await changeStatus('paused'), await changeStatus('canceled'), await changeStatus('scheduled')]).toEqual([
      1611, 1611, 1609,
    ]);
    expect(await changeStatus('in_complete')).toBe('in_complete');
    expect(await changeStatus('in_progress')).toBe('in_progress');
    expect([await changeStatus('scheduled'), await changeStatus('in_complete')]).toEqual([1611, 1611]);
    expect((await stage.caller.delete(`/v1/campaigns/${campaign.id}`)).status).toBe(409);
    expect(errorCode(await stage.caller.put(`/v1/campaigns/${campaign.id}`, { text: 'Other' }))).toBe(1614);
    expect((await stage.caller.put(`/v1/campaigns/${campaign.id}`, { name: 'Only the name' })).status).toBe(200);
    await fanOutAll(world, campaign);
    await applyCarrierStatus(world, campaign, 'sent');
    await count(world, campaign);
    expect([await changeStatus('in_progress'), await changeStatus('paused'), await changeStatus('canceled')]).toEqual([
      1611, 1611, 1611,
    ]);
    expect(await changeStatus('failed')).toBe(1611);
    expect(await changeStatus('done')).toBe(1705);
    // The current status changes nothing.
    expect(await changeStatus('completed')).toBe('completed');
  });

  test('fails when no message is accepted, and a retry resends the same messages', async () => {
    const stage = await makeStage(world, crowd(6));
    const campaign = await startCampaign(stage);
    await fanOutAll(world, campaign);
    await applyCarrierStatus(world, campaign, 'failed', { limit: 4, failure: 'connection' });
    await applyCarrierStatus(world, campaign, 'rejected', { failure: 'rejected' });
    await count(world, campaign);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({
      status: 'failed',
      status_details: 'undelivered',
      retryable: 4,
      cost_micros: 0,
    });
    expect((await readBalance(world, stage)).held_micros).toBe(0);

    const replies = await Promise.all([1, 2].map(() => stage.caller.post(`/v1/campaigns/${campaign.id}/retries`, {})));
    expect(replies.map((reply) => reply.body.data.retried).sort()).toEqual([0, 4]);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'in_progress', end_date: null });
    expect((await readBalance(world, stage)).held_micros).toBe(160_000);
    await applyCarrierStatus(world, campaign, 'sent');
    await count(world, campaign);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({
      status: 'completed',
      retryable: 0,
      counts: { sent: 4, rejected: 2 },
      fanned_out: 6,
      cost_micros: 160_000,
    });
    expect(await readBalance(world, stage)).toEqual({ available_micros: 99_840_000, held_micros: 0 });
    const [row] = await world.kernel.db.rows<{ timeline: { status: string }[] }>(sql`
      select timeline from messages where account_id = ${stage.account_id} and status = 'sent' limit 1`);
    expect(row!.timeline.map((entry) => entry.status)).toEqual(['enroute', 'failed', 'enroute', 'sent']);
  });

  test('cannot be retried without enough funds, and a retry excludes charged messages', async () => {
    const stage = await makeStage(world, crowd(3), { balance_micros: 120_000 });
    const campaign = await startCampaign(stage);
    await fanOutAll(world, campaign);
    await applyCarrierStatus(world, campaign, 'sent', { limit: 1 });
    await applyCarrierStatus(world, campaign, 'failed', { of: 'sent', failure: 'expired' });
    await applyCarrierStatus(world, campaign, 'failed', { failure: 'throttled' });
    await count(world, campaign);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({
      status: 'completed',
      retryable: 2,
      cost_micros: 40_000,
    });
    const retry = () => stage.caller.post(`/v1/campaigns/${campaign.id}/retries`, {});
    const spends = await startCampaign(stage, {
      audience: await makeAudience(world.kernel, stage.account_id, crowd(1, 50)),
    });
    await fanOutAll(world, spends);
    expect(errorCode(await retry())).toBe(7909);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'completed', counts: { failed: 3 } });
    await stage.caller.put(`/v1/campaigns/${spends.id}`, { status: 'canceled' });
    await runCancelQueued(world.kernel, spends);
    expect((await retry()).body.data).toEqual({ id: campaign.id, retried: 2 });
    expect((await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'paused' })).status).toBe(200);
    expect(errorCode(await retry())).toBe(1611);
  });
});

describe('a scheduled campaign', () => {
  test('can be changed or unscheduled and starts only once on several workers', async () => {
    const stage = await makeStage(world, crowd(2));
    const campaign = await startCampaign(stage, { schedule: inHours(2) });
    expect(campaign).toMatchObject({ status: 'scheduled', start_date: null, total: 0 });
    const update = (body: object) => stage.caller.put(`/v1/campaigns/${campaign.id}`, body);
    expect((await update({ schedule: inHours(1) })).body.data).toMatchObject({
      status: 'scheduled',
      schedule: inHours(1),
    });
    expect(errorCode(await update({ schedule: null }))).toBe(1609);
    expect(errorCode(await update({ text: 'Hi {nobody}' }))).toBe(1615);
    expect((await update({ status: 'in_complete' })).body.data.status).toBe('in_complete');
    expect((await update({ status: 'scheduled' })).body.data.status).toBe('scheduled');
    await startDue(world.kernel);
    expect((await readCampaign(stage, campaign.id)).status).toBe('scheduled');
    clock.advance(3_600_000);
    await Promise.all([startDue(world.kernel), startDue(world.kernel), startDue(world.kernel)]);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'in_progress', total: 2 });
    const startEvents = (await listEvents(world, stage, 'campaign.updated')).filter(
      (row) => row.status === 'in_progress',
    );
    expect(startEvents).toHaveLength(1);
  });

  test('is paused until a user resumes it when it is more than an hour late', async () => {
    const stage = await makeStage(world, crowd(2));
    const campaign = await startCampaign(stage, { schedule: inHours(1) });
    clock.advance(2 * 3_600_000 + 1_000);
    await startDue(world.kernel);
    expect(await readCampaign(stage, campaign.id)).toMatchObject({
      status: 'paused',
      status_details: 'missed_schedule',
      total: 0,
    });
    const resumed = await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
    expect(resumed.body.data).toMatchObject({ status: 'in_progress', total: 2 });
  });

  test('is paused with a reason when it cannot start, and can be rescheduled once the problem is fixed', async () => {
    const stage = await makeStage(world, crowd(2), { balance_micros: 10_000 });
    const poor = await startCampaign(stage, { schedule: inHours(1), name: 'Poor' });
    const orphan = await startCampaign(stage, { schedule: inHours(1), name: 'Orphan' });
    clock.advance(3_600_000);
    await world.kernel.db.run(sql`
      update campaigns set sender_id = null where account_id = ${stage.account_id} and id = ${orphan.id}`);
    await startDue(world.kernel);
    expect(await readCampaign(stage, poor.id)).toMatchObject({ status: 'paused', status_details: 'balance' });
    expect(await readCampaign(stage, orphan.id)).toMatchObject({ status: 'paused', status_details: 'sender' });
    expect(errorCode(await stage.caller.put(`/v1/campaigns/${poor.id}`, { status: 'in_progress' }))).toBe(7909);
    const scheduled = await stage.caller.put(`/v1/campaigns/${orphan.id}`, {
      from: stage.sender_id,
      schedule: inHours(1),
      status: 'scheduled',
    });
    expect(scheduled.body.data.status).toBe('scheduled');
    expect((await stage.caller.put(`/v1/campaigns/${orphan.id}`, { status: 'canceled' })).body.data.status).toBe(
      'canceled',
    );
  });
});
