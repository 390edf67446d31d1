/** Tests that responses, files, and events contain amounts only for users with permission to see them. */
import { previewCampaign } from '@parley/contract/campaigns/previews.ts';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { hideSpend } from '@parley/contract/spend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { count, crowd, fanOutAll, makeStage, type Stage, startCampaign } from '../test/campaigns.ts';
import { makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

let world: World;
let stage: Stage;
let campaign_id: string;
let agent: Caller;
let bookkeeper: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  stage = await makeStage(world, crowd(3));
  const campaign = await startCampaign(stage, { name: 'Sale' });
  campaign_id = campaign.id;
  await fanOutAll(world, campaign);
  await count(world, campaign);
  const sees = { MESSAGES: 1, CAMPAIGNS: 7, AUDIENCES: 1, SENDERS: 1 };
  const as = async (permissions: Record<string, number>) =>
    world.as((await makeUser(world.kernel, stage.account_id, { permissions })).token);
  agent = await as(sees);
  bookkeeper = await as({ ...sees, INVOICES: 1 });
});
afterAll(() => world.stop());

const readAmount = async (caller: Caller, path: string, field: string) => {
  const { status, body, text } = await caller.get(path);
  expect(status, text).toBe(200);
  return ([body.data].flat()[0] as Record<string, unknown>)[field];
};

test('messages and campaigns contain amounts only when the user has permission to see them', async () => {
  const { id } = (await agent.get('/v1/messages')).body.data[0];
  const amounts = [
    ['/v1/messages', 'price', 0.04],
    ['/v1/messages', 'price_micros', 40_000],
    [`/v1/messages/${id}`, 'price_micros', 40_000],
    ['/v1/campaigns', 'cost_micros', 120_000],
    [`/v1/campaigns/${campaign_id}`, 'cost_micros', 120_000],
    [`/v1/campaigns/${campaign_id}/recipients`, 'price_micros', 40_000],
  ] as const;
  for (const [path, field, amount] of amounts) {
    expect(await readAmount(bookkeeper, path, field), `${path} ${field}`).toBe(amount);
    expect(await readAmount(agent, path, field), `${path} ${field}`).toBeNull();
  }
});

test('a preview lists recipients by country without amounts when the user has no permission to see them', async () => {
  const body = { audience: stage.audience_id, from: stage.sender_id, text: 'Hello', channel: 'sms' };
  const preview = (await agent.post(previewCampaign.path, body)).body.data;
  expect(preview.total_micros).toBeNull();
  expect(preview.cost).toEqual([expect.objectContaining({ recipients: 3, price_micros: null, cost_micros: null })]);
  expect((await bookkeeper.post(previewCampaign.path, body)).body.data.total_micros).toBe(120_000);
});

test('the file of recipients has no prices when the user has no permission to see them', async () => {
  const [first, second] = await Promise.all(
    [agent, bookkeeper].map(
      async (caller) => (await caller.get(`/v1/campaigns/${campaign_id}/recipients/file?bucket=all`)).text,
    ),
  );
  expect(first).not.toContain('0.040000');
  expect(second).toContain('0.040000');
});

test('an event has null amounts and all other fields when its spending is hidden', () => {
  const payload = { id: '1', price: 0.04, price_micros: 40_000, currency: 'USD', nested: { price: 1 } };
  expect(hideSpend(messageStatusChanged.payload, payload)).toEqual({ ...payload, price: null, price_micros: null });
  expect(payload.price).toBe(0.04);
});
