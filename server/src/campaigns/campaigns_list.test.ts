import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { broken, crowd, fanOutAll, makeStage, readCampaign, startCampaign } from '../test/campaigns.ts';
import { makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const errorCode = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;

describe('the campaign list', () => {
  test('excludes another account’s campaigns, which cannot be changed or counted either', async () => {
    const stage = await makeStage(world, crowd(2));
    const campaign = await startCampaign(stage);
    await fanOutAll(world, campaign);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const path = `/v1/campaigns/${campaign.id}`;
    const replies = await Promise.all([
      stranger.get(path),
      stranger.put(path, { status: 'canceled' }),
      stranger.delete(path),
      stranger.post(`${path}/retries`, {}),
      stranger.get(`${path}/recipients`),
      stranger.get(`${path}/recipients/file`),
    ]);
    expect(replies.map((reply) => [reply.status, errorCode(reply)])).toEqual(replies.map(() => [404, 1601]));
    expect((await stranger.get('/v1/campaigns')).body.pagination.total).toBe(0);
    expect((await readCampaign(stage, campaign.id)).status).toBe('in_progress');
    expect(errorCode(await stranger.post('/v1/campaign_previews', { audience: stage.audience_id, text: 'Hi' }))).toBe(
      1606,
    );
    expect(errorCode(await stranger.post('/v1/campaign_samples', { audience: stage.audience_id }))).toBe(1606);
  });

  test('shows the newest campaigns first and filters them by name and status', async () => {
    const stage = await makeStage(world, crowd(1));
    await startCampaign(stage, { name: 'Spring sale', start: false });
    await startCampaign(stage, { name: 'Autumn sale', start: false });
    await startCampaign(stage, { name: '100%_sure', start: false });
    const names = async (query: string) =>
      (await stage.caller.get(`/v1/campaigns?${query}`)).body.data.map((row: { name: string }) => row.name);
    expect(await names('')).toEqual(['100%_sure', 'Autumn sale', 'Spring sale']);
    expect(await names('filter[search]=SALE')).toEqual(['Autumn sale', 'Spring sale']);
    expect(await names('filter[search]=%25_s')).toEqual(['100%_sure']);
    expect(await names('filter[statuses]=completed,canceled')).toEqual([]);
    expect(await names('filter[channel]=viber')).toEqual([]);
    expect(await names('page=2&page_size=10')).toEqual([]);
  });
});
