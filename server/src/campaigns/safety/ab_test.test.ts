/** Tests A/B tests of campaigns, with a clock that the tests advance. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
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
  startCampaign,
  writeBack,
} from '../../test/campaigns.ts';
import { makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { getCampaign } from '../campaigns.ts';
import { fanOut } from '../fanout/fanout.ts';
import { runCancelQueued } from '../lifecycle/cancel.ts';
import { sampleHash } from '../model/sample.ts';
import { getResults } from '../progress/results.ts';
import { findWinner } from '../progress/variant_results.ts';
import { chooseWinner } from './ab_test.ts';

const HOUR = 3_600_000;
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
const results = ({ account_id, id }: Campaign): Promise<CampaignResults> =>
  getResults(world.kernel.db, account_id, id, clock.now());
const abTest = (overrides: Record<string, unknown> = {}) => ({
  test: {
    variants: [{ text: 'Second {first_name}' }],
    share_percent: 50,
    wait_minutes: 60,
    metric: 'replied',
    ...overrides,
  },
  text: 'First {first_name}',
});
const listTexts = async ({ account_id, id }: Campaign) =>
  world.kernel.db.rows<{ text: string; count: number }>(sql`
    select split_part(text, ' ', 1) as text, count(*) from messages
    where account_id = ${account_id} and campaign_id = ${id} group by 1 order by 1`);
const listVariant = async ({ account_id, id }: Campaign, text: string) =>
  (
    await world.kernel.db.rows<{ number: string }>(sql`
      select number from messages where account_id = ${account_id} and campaign_id = ${id} and text like ${`${text}%`}
      order by number`)
  ).map(({ number }) => number);

test('a campaign that is canceled during a test lists only the contacts that are not in the test', async () => {
  const stage = await makeStage(world, crowd(40));
  const campaign = await startCampaign(stage, abTest());
  await fanOutAll(world, campaign, 7);
  const inTest = [...(await listVariant(campaign, 'First')), ...(await listVariant(campaign, 'Second'))];
  expect(inTest).toHaveLength(20);
  await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'canceled' });
  await runCancelQueued(world.kernel, campaign);
  await runCancelQueued(world.kernel, campaign);
  const unsent = await world.kernel.db.rows<{ number: string; reason: string }>(sql`
    select k.number, s.reason
    from campaign_skips s join contacts k on k.account_id = s.account_id and k.id = s.contact_id
    where s.account_id = ${campaign.account_id} and s.campaign_id = ${campaign.id}`);
  expect(new Set([...unsent.map(({ number }) => number), ...inTest]).size).toBe(40);
  expect(unsent.filter(({ reason }) => reason === 'canceled')).toHaveLength(20);
  expect(await read(campaign)).toMatchObject({ skipped: { canceled: 20 }, lists_canceled: true, fanned_out: 20 });
});

test('the variant with the most replies is sent to the rest, and everyone gets one message', async () => {
  const stage = await makeStage(world, crowd(120));
  const campaign = await startCampaign(stage, abTest());
  expect(campaign.test_state).toEqual({ recipients: 60, status: 'sending', end_date: null, winner: null });
  await fanOutAll(world, campaign);
  expect(await listTexts(campaign)).toEqual([
    { text: 'First', count: 30 },
    { text: 'Second', count: 30 },
  ]);
  await applyCarrierStatus(world, campaign, 'delivered');
  await fanOutAll(world, campaign);
  expect((await read(campaign)).test_state?.status).toBe('waiting');
  const [first] = await listVariant(campaign, 'First');
  const second = await listVariant(campaign, 'Second');
  await writeBack(world, stage, first!, 'No thanks');
  await writeBack(world, stage, second[0]!, 'Yes');
  await writeBack(world, stage, second[1]!, 'Yes');
  await writeBack(world, stage, second[2]!, 'STOP');
  clock.advance(2 * HOUR);
  await fanOutAll(world, campaign);
  expect(await listTexts(campaign)).toEqual([
    { text: 'First', count: 30 },
    { text: 'Second', count: 90 },
  ]);
  await applyCarrierStatus(world, campaign, 'delivered');
  await count(world, campaign);
  expect(await read(campaign)).toMatchObject({
    status: 'completed',
    fanned_out: 120,
    test_state: { status: 'decided', winner: 'B' },
  });
  expect((await results(campaign)).variants).toMatchObject([
    { variant: 'A', text: 'First {first_name}', messages: 30, delivered: 30, replied: 1, opt_outs: 0 },
    { variant: 'B', messages: 30, delivered: 30, replied: 2, opt_outs: 1 },
  ]);
});

test('the recipients of a test are a random sample, which the stored seed reproduces', async () => {
  const numbers = crowd(200).map(({ number }) => number);
  const campaign = await startCampaign(await makeStage(world, crowd(200)), abTest({ share_percent: 25 }));
  await fanOutAll(world, campaign, 7);
  const { test_seed: seed } = await world.kernel.db.one<{ test_seed: number }>(
    sql`select test_seed from campaigns where account_id = ${campaign.account_id} and id = ${campaign.id}`,
  );
  const sample = numbers.toSorted((a, b) => sampleHash(seed, a) - sampleHash(seed, b)).slice(0, 50);
  const sent = [...(await listVariant(campaign, 'First')), ...(await listVariant(campaign, 'Second'))];
  expect(sent.sort()).toEqual(sample.sort());
  expect(sample).not.toEqual(numbers.slice(0, 50));
  // A user decides while the rest has no message, and every recipient gets one message.
  await world.kernel.db.tx((tx) => chooseWinner(tx, campaign.account_id, campaign.id, 'B'));
  await fanOutAll(world, campaign);
  expect(await read(campaign)).toMatchObject({ fanned_out: 200, skipped: {} });
});

test('a winner chosen in the middle of a test is sent to everyone without a message', async () => {
  const campaign = await startCampaign(await makeStage(world, crowd(200)), abTest({ share_percent: 50 }));
  await fanOutAll(world, campaign, 10, 3);
  // A portion reads about as many contacts as contain ten of the sample, at most ten.
  const { fanned_out } = await read(campaign);
  expect(fanned_out).toBeGreaterThan(0);
  expect(fanned_out).toBeLessThanOrEqual(30);
  await world.kernel.db.tx((tx) => chooseWinner(tx, campaign.account_id, campaign.id, 'A'));
  await fanOutAll(world, campaign, 30);
  expect(await read(campaign)).toMatchObject({ fanned_out: 200, skipped: {} });
});

test('a user chooses the winner by hand, once, and only of an own campaign', async () => {
  const stage = await makeStage(world, crowd(40));
  const campaign = await startCampaign(
    stage,
    abTest({ automatic: false, variants: [{ text: 'Second' }, { text: 'Third' }] }),
  );
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'sent');
  await fanOutAll(world, campaign);
  clock.advance(2 * HOUR);
  await fanOutAll(world, campaign);
  expect(await fanOut(world.kernel, campaign)).toBe('rests');
  expect((await read(campaign)).test_state?.status).toBe('choosing');
  const mails = await world.kernel.db.rows(sql`
    select 1 from mails where account_id = ${stage.account_id} and subject like 'Choose the winner%'`);
  expect(mails).toHaveLength(1);
  // The seed decides which two of the three variants have one message more.
  const third = (await listVariant(campaign, 'Third')).length;
  expect([6, 7]).toContain(third);
  const choose = (account_id: string, variant: 'C' | 'D') =>
    world.kernel.db.tx((tx) => chooseWinner(tx, account_id, campaign.id, variant));
  const stranger = await makeCompany(world.kernel);
  await expect(choose(stranger.account_id, 'C')).rejects.toMatchObject({ name: 'CAMPAIGN_NOT_FOUND' });
  await expect(choose(stage.account_id, 'D')).rejects.toMatchObject({ name: 'CAMPAIGN_WINNER_NOT_ALLOWED' });
  expect((await choose(stage.account_id, 'C')).test_state?.winner).toBe('C');
  await expect(choose(stage.account_id, 'C')).rejects.toMatchObject({ name: 'CAMPAIGN_WINNER_NOT_ALLOWED' });
  await fanOutAll(world, campaign);
  expect((await listVariant(campaign, 'Third')).length).toBe(third + 20);
});

test('variants are checked when the campaign starts, and invalid tests are refused', async () => {
  const stage = await makeStage(world, crowd(3));
  const refuse = async (overrides: Record<string, unknown>) =>
    (await stage.caller.post('/v1/campaigns', campaignDraft(stage, abTest(overrides)))).body.errors[0];
  expect(await refuse({ variants: [{ text: 'Hello {nick}' }] })).toMatchObject({
    code: 1615,
    field: 'test.variants.0',
    message: 'Variant B: Unknown variable {nick}',
  });
  expect((await refuse({ variants: [] })).code).toBe(2372);
  expect((await refuse({ variants: [{ text: ' ' }] })).code).toBe(1607);
  expect((await refuse({ share_percent: 0 })).code).toBe(2372);
  expect((await refuse({ metric: 'luck' })).code).toBe(2372);
  const campaign = await startCampaign(stage, abTest({ share_percent: 1 }));
  expect(campaign.test_state?.recipients).toBe(2);
});

test('the winner has the best share of its messages, and of equal variants the first one wins', () => {
  const one = { variant: 'A' as const, text: '', delivered: 0, read: 0, clicked: 0, replied: 0 };
  const variants = [
    { ...one, messages: 10, opt_outs: 1, delivered: 5 },
    { ...one, messages: 20, opt_outs: 2, delivered: 11 },
    { ...one, messages: 0, opt_outs: 0 },
  ];
  expect(findWinner(variants, 'delivered')).toBe(1);
  expect(findWinner(variants, 'opt_outs')).toBe(0);
  expect(findWinner(variants, 'clicked')).toBe(0);
});
