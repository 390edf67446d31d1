import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { applyStatuses } from '../messages/messages.ts';
import { broken, count, fanOutAll, makeStage, readBalance, readCampaign, type Stage } from '../test/campaigns.ts';
import { CHAT_PRICES, makeChatSender } from '../test/chat.ts';
import { testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

const SMS_PRICE = 40_000;

let world: World;
let viber: string;
let stage: Stage;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  stage = await makeStage(world, [
    { number: testNumber(1), first_name: 'Anna' },
    { number: testNumber(2), first_name: '' },
  ]);
  viber = (await makeChatSender(world.kernel, stage.account_id, 'VIBER')).sender_id;
  await world.kernel.db.run(sql`update audiences set channel = 'VIBER' where id = ${stage.audience_id}`);
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const body = (fields: Record<string, unknown> = {}) => ({
  channel: 'VIBER',
  from: viber,
  audience: stage.audience_id,
  text: 'Hello {first_name:friend}',
  fallbacks: [{ channel: 'SMS', from: stage.sender_id, text: 'Hi {first_name:there}', trigger: 'failed' }],
  ...fields,
});

const start = async (fields?: Record<string, unknown>) =>
  (await stage.caller.post('/v1/campaigns', body(fields))).body.data;

const messages = (campaign_id: string) =>
  world.kernel.db.rows<{ id: string; channel: string; text: string; status: string; charge: string; price: number }>(
    sql`select id, channel, text, status, charge, price_micros as price from messages
        where account_id = ${stage.account_id} and campaign_id = ${campaign_id} order by number`,
  );

const report = (message_id: string, status: 'failed' | 'sent' | 'delivered') =>
  world.kernel.db.tx((tx) =>
    applyStatuses(tx, [
      { account_id: stage.account_id, message_id, status, source: 'carrier', failure: null } as never,
    ]),
  );

describe('a campaign with a fallback channel', () => {
  it('is one message with one price per person, and moves on when the first channel fails', async () => {
    const before = await readBalance(world, stage);
    const preview = await stage.caller.post('/v1/campaign_previews', body());
    expect(preview.body.data).toMatchObject({ total_micros: 2 * SMS_PRICE, blockers: [] });
    const campaign = await start();
    expect(campaign.fallbacks).toMatchObject([{ channel: 'SMS', from: stage.sender_id, trigger: 'failed' }]);
    await fanOutAll(world, campaign);
    const [first, second] = await messages(campaign.id);
    expect(first).toMatchObject({ channel: 'VIBER', text: 'Hello Anna', price: SMS_PRICE });
    await report(first!.id, 'failed');
    await report(second!.id, 'delivered');
    expect((await messages(campaign.id))[0]).toMatchObject({ channel: 'SMS', text: 'Hi Anna', status: 'enroute' });
    await report(first!.id, 'sent');
    await report(first!.id, 'delivered');
    expect(await messages(campaign.id)).toMatchObject([
      { status: 'delivered', charge: 'settled', price: SMS_PRICE },
      { status: 'delivered', charge: 'settled', price: CHAT_PRICES.VIBER.promotional },
    ]);
    await count(world, campaign);
    const spent = SMS_PRICE + CHAT_PRICES.VIBER.promotional;
    expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'completed', cost_micros: spent });
    const after = await readBalance(world, stage);
    expect(before.available_micros - after.available_micros).toBe(spent);
    expect(after.held_micros).toBe(before.held_micros);
  });

  it('starts no step of an unsent message while it is paused', async () => {
    const campaign = await start();
    await fanOutAll(world, campaign);
    await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'paused' });
    const [first] = await messages(campaign.id);
    await report(first!.id, 'failed');
    const queued = () =>
      world.kernel.db.one<{ channel: string; held: boolean }>(
        sql`select channel, not_before = 'infinity' as held from dispatch where message_id = ${first!.id}`,
      );
    expect(await queued()).toEqual({ channel: 'SMS', held: true });
    await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
    expect(await queued()).toEqual({ channel: 'SMS', held: false });
    const { body: reply } = await stage.caller.post(`/v1/campaigns/${campaign.id}/retries`, {});
    expect(reply.data).toMatchObject({ retried: 0 });
  });

  it('sends each person at most one message when the fan-out is interrupted', async () => {
    const campaign = await start();
    await fanOutAll(world, campaign, 1, 1);
    await fanOutAll(world, campaign, 1, 1);
    await fanOutAll(world, campaign);
    const rows = await world.kernel.db.one(sql`
      select (select count(*) from messages where campaign_id = ${campaign.id}) as messages,
             (select count(*) from fallbacks f join messages m on m.account_id = f.account_id and m.id = f.message_id
              where m.campaign_id = ${campaign.id}) as plans`);
    expect(rows).toEqual({ messages: 2, plans: 2 });
  });

  it('is refused when a step is invalid', async () => {
    const code = async (fallbacks: unknown) =>
      (await stage.caller.post('/v1/campaigns', body({ fallbacks }))).body.errors[0];
    const step = { channel: 'SMS', from: stage.sender_id, text: 'Hi', trigger: 'failed' };
    expect(await code([{ ...step, channel: 'VIBER', from: viber }])).toMatchObject({ code: 1636 });
    expect(await code([step, step])).toMatchObject({ code: 1637, field: 'fallbacks.1.channel' });
    expect(await code([{ ...step, from: 'Nobody' }])).toMatchObject({ code: 1604, field: 'fallbacks.0.from' });
    expect(await code([{ ...step, text: '' }])).toMatchObject({ code: 1607 });
    expect(await code([{ ...step, channel: 'WHATSAPP' }])).toMatchObject({ code: 1604 });
  });
});
