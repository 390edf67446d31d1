/** Tests canaries and limits, with a clock that the tests advance. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { NO_SAFETY } from '@parley/contract/campaigns/safety.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  campaignDraft,
  count,
  crowd,
  fanOutAll,
  makeStage,
  type Stage,
  startCampaign,
  writeBack,
} from '../../test/campaigns.ts';
import { createWorld, type World } from '../../test/world.ts';
import { getCampaign, updateCampaign } from '../campaigns.ts';
import { fanOut } from '../fanout/fanout.ts';
import { checkLimits, findExcess } from './breaker.ts';

const MINUTE = 60_000;
const clock = heldClock(new Date());

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

/** The sessions of the callers expire when the clock advances. */
const read = ({ account_id, id }: Campaign) => getCampaign(world.kernel.db, account_id, id);
const resume = ({ account_id, id }: Campaign) =>
  world.kernel.db.tx((tx) =>
    updateCampaign(tx, world.kernel, { account_id, user_id: null, key_id: null }, id, { status: 'in_progress' }),
  );
const canary = { recipients: 10, wait_minutes: 30 };
const limits = { failed_percent: 20, opt_out_percent: 10, complaint_percent: 5 };

const listMails = (stage: Stage) =>
  world.kernel.db.rows<{ recipient: string; subject: string }>(sql`
    select recipient, subject from mails where account_id = ${stage.account_id} and subject like 'Campaign paused%'
    order by recipient`);

// The first test, because new IDs follow the system clock and not the clock of the tests.
test('opt-outs by reply, and carriers that report an opt-out, count against the limits', async () => {
  const stage = await makeStage(world, crowd(40));
  const campaign = await startCampaign(stage, { safety: { limits } });
  await fanOutAll(world, campaign, 30, 1);
  await applyCarrierStatus(world, campaign, 'delivered');
  for (const { number } of crowd(4)) await writeBack(world, stage, number, 'STOP');
  await count(world, campaign);
  await checkLimits(world.kernel);
  expect(await read(campaign)).toMatchObject({
    status: 'paused',
    status_details: 'opt_outs',
    safeguards: { tripped: { results: 30, failed: 0, opt_outs: 4 } },
  });
  await resume(campaign);
  await checkLimits(world.kernel);
  expect((await read(campaign)).status).toBe('in_progress');
  const other = await startCampaign(await makeStage(world, crowd(30)), { safety: { limits } });
  await fanOutAll(world, other, 25, 1);
  await applyCarrierStatus(world, other, 'unsubscribed', { limit: 2, failure: 'opted_out' });
  await applyCarrierStatus(world, other, 'sent');
  await count(world, other);
  await checkLimits(world.kernel);
  expect(await read(other)).toMatchObject({ status_details: 'complaints' });
});

test('a campaign with a canary sends to the first recipients, waits, and then sends to the rest', async () => {
  const stage = await makeStage(world, crowd(60));
  const campaign = await startCampaign(stage, { safety: { canary, limits } });
  expect(campaign.safeguards.canary).toEqual({ recipients: 10, status: 'sending', end_date: null });
  await fanOutAll(world, campaign, 4);
  clock.advance(31 * MINUTE);
  await fanOutAll(world, campaign);
  // No carrier has accepted the messages, so the wait has not begun.
  expect(await read(campaign)).toMatchObject({ fanned_out: 10, safeguards: { canary: { status: 'sending' } } });
  await applyCarrierStatus(world, campaign, 'delivered', { limit: 9 });
  await applyCarrierStatus(world, campaign, 'failed', { failure: 'unknown' });
  clock.advance(2_000);
  await fanOutAll(world, campaign);
  expect(await read(campaign)).toMatchObject({ fanned_out: 10, safeguards: { canary: { status: 'waiting' } } });
  clock.advance(29 * MINUTE);
  expect(await fanOut(world.kernel, campaign)).toBe('rests');
  clock.advance(2 * MINUTE);
  await fanOutAll(world, campaign, 7);
  expect(await read(campaign)).toMatchObject({ fanned_out: 60, safeguards: { canary: { status: 'passed' } } });
});

test('a canary that exceeds a limit pauses the campaign, and its author and owner get an email', async () => {
  const stage = await makeStage(world, crowd(60));
  const campaign = await startCampaign(stage, { safety: { canary, limits } });
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'delivered', { limit: 7 });
  await applyCarrierStatus(world, campaign, 'failed', { failure: 'unknown' });
  await fanOutAll(world, campaign);
  clock.advance(31 * MINUTE);
  expect(await fanOut(world.kernel, campaign)).toBe('stopped');
  expect(await read(campaign)).toMatchObject({
    status: 'paused',
    status_details: 'failures',
    fanned_out: 10,
    safeguards: { tripped: { results: 10, failed: 3, opt_outs: 0, complaints: 0 } },
  });
  expect(await listMails(stage)).toEqual([
    { recipient: `${stage.user_id}@test.localhost`, subject: `Campaign paused: ${campaign.name}` },
  ]);
  // The user decides to continue. Only later results count.
  expect(await resume(campaign)).toMatchObject({ safeguards: { tripped: null, canary: { status: 'passed' } } });
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'delivered');
  await count(world, campaign);
  expect(await read(campaign)).toMatchObject({ status: 'completed', fanned_out: 60 });
});

test('limits pause a campaign that is already sending, and its queued messages wait', async () => {
  const stage = await makeStage(world, crowd(60));
  const campaign = await startCampaign(stage, { safety: { limits } });
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'failed', { limit: 19, failure: 'unknown' });
  await count(world, campaign);
  await checkLimits(world.kernel);
  expect((await read(campaign)).status).toBe('in_progress');
  await applyCarrierStatus(world, campaign, 'delivered', { limit: 1 });
  await count(world, campaign);
  await Promise.all([checkLimits(world.kernel), checkLimits(world.kernel)]);
  expect(await read(campaign)).toMatchObject({ status: 'paused', status_details: 'failures' });
  expect(await listMails(stage)).toHaveLength(1);
  const free = await world.kernel.db.rows(sql`
    select 1 from dispatch where account_id = ${stage.account_id} and not_before < 'infinity'`);
  expect(free).toEqual([]);
});

test('invalid safeguards are refused, and a canary of all recipients is ignored', async () => {
  const stage = await makeStage(world, crowd(5));
  const refuse = async (safety: unknown) =>
    (await stage.caller.post('/v1/campaigns', campaignDraft(stage, { safety }))).body.errors[0].code;
  expect(await refuse({ canary: { recipients: 10, percent: 5 } })).toBe(2370);
  expect(await refuse({ canary: { percent: 100 } })).toBe(2370);
  expect(await refuse({ canary: {} })).toBe(2370);
  expect(await refuse({ limits: { failed_percent: 0 } })).toBe(2371);
  const campaign = await startCampaign(stage, { safety: { canary } });
  expect(campaign.safeguards.canary).toBeNull();
  const share = await startCampaign(stage, { name: 'A share', safety: { canary: { percent: 21, wait_minutes: 1 } } });
  expect(share.safeguards.canary?.recipients).toBe(2);
});

test('limits compare percentages of the results, and ignore small numbers of results', () => {
  const figures = { results: 100, failed: 20, opt_outs: 0, complaints: 0 };
  expect(findExcess(limits, figures, 20)).toBeNull();
  expect(findExcess(limits, { ...figures, failed: 21 }, 20)).toEqual({ reason: 'failures', count: 21, limit: 20 });
  expect(findExcess(limits, { ...figures, results: 19, failed: 19 }, 20)).toBeNull();
  expect(findExcess(NO_SAFETY.limits, { ...figures, failed: 100 }, 1)).toBeNull();
});
