import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyCarrierStatus, count, crowd, fanOutAll, makeStage, startCampaign } from '../../test/campaigns.ts';
import { createWorld, type World } from '../../test/world.ts';

const PRICE = 40_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

test('the forecast of a campaign agrees with its bill, except for messages that failed', async () => {
  const stage = await makeStage(world, [...crowd(4), { number: '12025550107', country: 'US' }]);
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign);
  const results = async () => (await stage.caller.get(`/v1/campaigns/${campaign.id}/results`)).body.data;
  const countries = [
    { country: 'GB', recipients: 4, cost_micros: 4 * PRICE },
    { country: 'US', recipients: 1, cost_micros: PRICE },
  ];
  expect(await results()).toMatchObject({
    forecast: { will_receive: 5, total_micros: 5 * PRICE, countries },
    actual: countries,
    currency: 'USD',
  });
  await applyCarrierStatus(world, campaign, 'failed', { limit: 1, failure: 'invalid' });
  await applyCarrierStatus(world, campaign, 'sent');
  await count(world, campaign);
  const { actual, forecast } = await results();
  const total = actual.reduce((sum: number, row: { cost_micros: number }) => sum + row.cost_micros, 0);
  expect(total).toBe(forecast.total_micros - PRICE);
});
