import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { fanOutAll, makeStage, startCampaign } from '../../test/campaigns.ts';
import { makeSender } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

test('a campaign gives each recipient a unique link, and costs as much as its preview shows', async () => {
  const stage = await makeStage(world, [
    { number: '447400000001', first_name: 'Amelia' },
    { number: '447400000002', first_name: '{url=https://evil.example}' },
  ]);
  const url = `https://example.com/${'x'.repeat(150)}`;
  const text = `Dear {first_name}, ${'a'.repeat(90)} {url=${url}} {sms_opt_out}`;
  const sender = await makeSender(world.kernel, stage.account_id, { code: 'Harbour', two_way: false });
  const preview = await stage.caller.post('/v1/campaign_previews', {
    channel: 'SMS',
    from: sender.sender_id,
    audience: stage.audience_id,
    text,
  });
  const campaign = await startCampaign(stage, { text, from: sender.sender_id });
  await fanOutAll(world, campaign, 10);
  const messages = await world.kernel.db.rows<{ text: string; segments_count: number; price_micros: number }>(sql`
    select text, segments_count, price_micros from messages where account_id = ${stage.account_id} order by number`);
  const [one, two] = messages.map((message) => message.text.match(/http:\S+/g)!);
  expect([one!.length, two!.length, new Set([...one!, ...two!]).size]).toEqual([2, 2, 4]);
  expect(messages[1]!.text).toContain('Dear {url=https://evil.example},');
  const { segments, total_micros } = preview.body.data;
  expect(segments.total).toBe(messages.reduce((sum, { segments_count }) => sum + segments_count, 0));
  expect(total_micros).toBe(messages.reduce((sum, { price_micros }) => sum + price_micros, 0));
  const links = (await stage.caller.get(`/v1/short_urls?filter[campaign_id]=${campaign.id}`)).body.data;
  expect(links).toMatchObject([{ url, source: 'campaign', recipients: 2, campaign_id: campaign.id }]);
});

test('a campaign with a link that cannot be used does not start', async () => {
  const stage = await makeStage(world, [{ number: '447400000001' }]);
  const reply = await stage.caller.post('/v1/campaigns', {
    name: 'Wrong',
    from: stage.sender_id,
    audience: stage.audience_id,
    text: 'Go {url=ftp://example.com}',
  });
  expect([reply.status, reply.body.errors[0].code]).toEqual([400, 2102]);
});
