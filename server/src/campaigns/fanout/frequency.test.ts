/** Tests the most messages that a person gets over all campaigns of an account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAP_IDS } from '../../guard/frequency.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  broken,
  campaignDraft,
  crowd,
  fanOutAll,
  makeStage,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const setCap = (stage: Stage, frequency_cap: unknown) => stage.caller.put('/v1/accounts/self', { frequency_cap });
const code = (reply: { body: { errors?: { code: number }[] } }) => reply.body.errors?.[0]?.code;
const send = (stage: Stage, to: string) =>
  stage.caller.post('/v1/messages', { channel: 'SMS', from: stage.sender_id, to: [to], text: 'Your parcel is here' });

test('parallel campaigns send at most one message per person and day, and other messages are exempt', async () => {
  const stage = await makeStage(world, crowd(40));
  expect((await setCap(stage, { per_day: 1 })).body.data.frequency_cap).toEqual({ per_day: 1, per_week: null });
  expect((await send(stage, crowd(1)[0]!.number)).status).toBe(200);
  const campaigns = await Promise.all(
    ['One', 'Two', 'Three'].map((name) => startCampaign(stage, { name, text: name })),
  );
  await Promise.all(campaigns.map((campaign) => fanOutAll(world, campaign, 7)));
  const messages = await world.kernel.db.rows<{ number: string; count: number }>(sql`
    select number, count(*) from messages
    where account_id = ${stage.account_id} and source = 'campaign' group by number having count(*) > 1`);
  expect(messages).toEqual([]);
  const ended = await Promise.all(campaigns.map(({ id }) => readCampaign(stage, id)));
  expect(ended.reduce((sum, { fanned_out }) => sum + fanned_out, 0)).toBe(40);
  expect(ended.reduce((sum, { skipped }) => sum + (skipped.frequency_cap ?? 0), 0)).toBe(80);
  const capped = ended.find(({ skipped }) => skipped.frequency_cap)!;
  const { body } = await stage.caller.get(`/v1/campaigns/${capped.id}/skips?filter[reason]=frequency_cap`);
  expect(body.pagination.total).toBe(capped.skipped.frequency_cap);
  expect((await send(stage, crowd(1)[0]!.number)).status).toBe(200);
  const violations = await world.kernel.db.rows(sql`select from violations where account_id = ${stage.account_id}`);
  expect(violations).toEqual([]);
});

test('the review and the rehearsal count the people who have reached the cap, and list them', async () => {
  const stage = await makeStage(world, crowd(5));
  await setCap(stage, { per_day: 1, per_week: 5 });
  await fanOutAll(world, await startCampaign(stage, { name: 'First', countries: ['GB'] }));
  const { sender_id: from, audience_id: audience } = stage;
  const draft = { from, audience, text: 'Hello' };
  const preview = (await stage.caller.post('/v1/campaign_previews', draft)).body.data;
  expect(preview.counts).toMatchObject({ total: 5, will_receive: 0, frequency_cap: 5 });
  expect(preview.blockers[0].message).toContain('5 who have reached the frequency cap');
  const reason = 'frequency_cap';
  const rehearsal = (await stage.caller.post('/v1/campaign_rehearsals', { ...draft, reason })).body.data;
  expect(rehearsal).toMatchObject({ excluded_total: 5, excluded: Array(5).fill({ reason }) });
  expect(code(await stage.caller.post('/v1/campaigns', campaignDraft(stage, { name: 'Second' })))).toBe(1618);
  // In ten days, the counts have started again.
  const schedule = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  const later = (await stage.caller.post('/v1/campaign_previews', { ...draft, schedule })).body.data;
  expect(later.counts).toMatchObject({ will_receive: 5, frequency_cap: 0 });
});

test('the cap per week applies after the day has ended', async () => {
  const stage = await makeStage(world, crowd(3));
  await setCap(stage, { per_day: 1, per_week: 2 });
  const nextDay = () =>
    world.kernel.db.run(sql`
      delete from limit_counters where account_id = ${stage.account_id} and limit_id = ${CAP_IDS.day}`);
  for (const name of ['One', 'Two']) {
    await fanOutAll(world, await startCampaign(stage, { name }));
    await nextDay();
  }
  expect(code(await stage.caller.post('/v1/campaigns', campaignDraft(stage, { name: 'Three' })))).toBe(1618);
  await setCap(stage, { per_day: 1 });
  expect((await stage.caller.post('/v1/campaigns', campaignDraft(stage, { name: 'Three' }))).status).toBe(201);
});

test('invalid caps are refused', async () => {
  const stage = await makeStage(world, []);
  for (const cap of [{}, { per_day: 0 }, { per_week: 1_001 }, { per_day: 1.5 }])
    expect(code(await setCap(stage, cap))).toBe(2357);
  expect((await setCap(stage, null)).body.data.frequency_cap).toBeNull();
});
