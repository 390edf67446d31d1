import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { broken, count, fanOutAll, readCampaign, type Stage } from '../test/campaigns.ts';
import { CHAT_PRICES, makeChatSender, makeMedia } from '../test/chat.ts';
import { makeAudience, makeCompany, testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

interface ChatStage extends Stage {
  channel: 'WHATSAPP' | 'VIBER';
}

const PEOPLE = [
  { number: testNumber(1), first_name: 'Anna', custom1: 'Monday' },
  { number: testNumber(2), first_name: '', custom1: 'Tuesday' },
  { number: testNumber(3), first_name: 'Cem', custom1: '' },
];

async function makeChatStage(channel: ChatStage['channel'], people: object[] = PEOPLE): Promise<ChatStage> {
  const owner = await makeCompany(world.kernel);
  const { sender_id } = await makeChatSender(world.kernel, owner.account_id, channel);
  const audience_id = await makeAudience(world.kernel, owner.account_id, people as typeof PEOPLE);
  await world.kernel.db.run(sql`update audiences set channel = ${channel} where id = ${audience_id}`);
  return { ...owner, caller: world.as(owner.token), sender_id, audience_id, channel };
}

async function insertTemplate(stage: ChatStage, fields: Record<string, unknown> = {}): Promise<string> {
  const id = newId();
  const row = {
    text: 'Hello {first_name:friend}, see you on {day}. Bye',
    type: 'image',
    header: null,
    wa_category: stage.channel === 'WHATSAPP' ? 'MARKETING' : null,
    status: 'COMPLETED',
    url: 'https://files.example.com/spring.jpg',
    buttons: stage.channel === 'WHATSAPP' ? [{ type: 'quick_reply', text: 'Yes', value: 'Yes' }] : [],
    ...fields,
  };
  await world.kernel.db.run(sql`
    insert into templates (account_id, id, channel, name, text, type, url, header, buttons, wa_category, sender_id,
                           status, external_id, tried, submitted, create_date, update_date)
    values (${stage.account_id}, ${id}, ${stage.channel}, ${`template_${id.slice(-8)}`}, ${row.text}, ${row.type},
            ${row.url}, ${row.header}, ${JSON.stringify(row.buttons)}::jsonb, ${row.wa_category},
            ${stage.sender_id}, ${row.status}, ${id}, 1, 1, now(), now())`);
  return id;
}

const create = (stage: ChatStage, fields: Record<string, unknown>) =>
  stage.caller.post('/v1/campaigns', {
    channel: stage.channel.toLowerCase(),
    from: stage.sender_id,
    audience: stage.audience_id,
    ...fields,
  });

const sent = (stage: ChatStage) =>
  world.kernel.db.rows<{ number: string; text: string; content: Record<string, unknown>; template_id: string | null }>(
    sql`select number, text, content, template_id from messages where account_id = ${stage.account_id}
        order by number`,
  );

const errorCode = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;

describe('a WhatsApp campaign', () => {
  it('sends each contact the template with their own values, at the price of its category', async () => {
    const stage = await makeChatStage('WHATSAPP');
    const media_id = await makeMedia(world.kernel, stage.account_id, {
      type: 'image',
      name: 'spring.png',
      content_type: 'image/png',
    });
    const template = await insertTemplate(stage);
    const message = { template, variables: ['', '{custom1:any day}'], type: 'image', media_id };
    const reply = await create(stage, message);
    expect(reply.status).toBe(201);
    const { id } = reply.body.data;
    expect(reply.body.data).toMatchObject({
      template_id: template,
      variables: ['', '{custom1:any day}'],
      type: 'image',
      media_id,
      links: { self: `/v1/campaigns/${id}`, account: '/v1/accounts/self' },
    });
    const samples = await stage.caller.post('/v1/campaign_samples', {
      audience: stage.audience_id,
      from: stage.sender_id,
      ...message,
    });
    await fanOutAll(world, reply.body.data);
    const messages = await sent(stage);
    expect(messages.map(({ text }) => text)).toEqual([
      'Hello Anna, see you on Monday. Bye',
      'Hello friend, see you on Tuesday. Bye',
      'Hello Cem, see you on any day. Bye',
    ]);
    expect(messages[1]).toMatchObject({
      template_id: template,
      content: {
        media_id,
        media_type: 'image',
        purpose: 'marketing',
        template: { id: template, body_values: ['friend', 'Tuesday'] },
        buttons: [{ text: 'Yes' }],
      },
    });
    expect(samples.body.data.samples.map(({ text, content }: Record<string, unknown>) => ({ text, content }))).toEqual(
      messages.map(({ text, content }) => ({ text, content })),
    );
    await count(world, reply.body.data);
    expect(await readCampaign(stage, id)).toMatchObject({ cost_micros: 3 * CHAT_PRICES.WHATSAPP.marketing });
  });

  it('skips contacts without a value, and is refused if no contact has one', async () => {
    const stage = await makeChatStage('WHATSAPP');
    const template = await insertTemplate(stage, { text: 'See you on {custom1} or later', type: 'text', url: null });
    const { data } = (await create(stage, { template })).body;
    await fanOutAll(world, data);
    expect(await readCampaign(stage, data.id)).toMatchObject({ fanned_out: 2, skipped: { no_value: 1 } });
    const other = await makeChatStage('WHATSAPP', [{ number: testNumber(9) }]);
    const mine = await insertTemplate(other, { text: 'See you on {custom1} or later', type: 'text', url: null });
    expect(errorCode(await create(other, { template: mine }))).toBe(1613);
  });

  it('reaches people by their ID, unless it is an ID on another channel', async () => {
    const stage = await makeChatStage('WHATSAPP', [{ number: testNumber(8) }]);
    const path = `/v1/audiences/${stage.audience_id}/contacts`;
    for (const number of ['GB.13491208655302', '01234567890A=']) await stage.caller.post(path, { number });
    const template = await insertTemplate(stage, { text: 'See you on Monday', type: 'text', url: null });
    const { data } = (await create(stage, { template })).body;
    await fanOutAll(world, data);
    expect((await sent(stage)).map(({ number }) => number)).toEqual([testNumber(8), 'GB.13491208655302']);
    expect(await readCampaign(stage, data.id)).toMatchObject({ fanned_out: 2, skipped: { invalid: 1 } });
  });

  it('needs an approved template with a value for each variable', async () => {
    const stage = await makeChatStage('WHATSAPP');
    expect(errorCode(await create(stage, { text: 'Hello' }))).toBe(1607);
    expect(errorCode(await create(stage, { template: await insertTemplate(stage) }))).toBe(1615);
    const pending = await insertTemplate(stage, { status: 'IN_PROCESS' });
    expect(errorCode(await create(stage, { template: pending }))).toBe(1608);
    const code = await insertTemplate(stage, {
      wa_category: 'AUTHENTICATION',
      type: 'text',
      url: null,
      text: '{code}',
    });
    expect(errorCode(await create(stage, { template: code, variables: ['1234'] }))).toBe(1608);
    const viber = await makeChatStage('VIBER');
    expect(errorCode(await create(stage, { template: await insertTemplate(viber) }))).toBe(1608);
    expect(errorCode(await create(stage, { template: await insertTemplate(stage), variables: ['a', 'b', 'c'] }))).toBe(
      1569,
    );
  });

  it('pauses when its template is no longer approved, and continues without duplicates', async () => {
    const stage = await makeChatStage('WHATSAPP');
    const template = await insertTemplate(stage, {
      text: 'Hello {first_name:friend}, welcome',
      type: 'text',
      url: null,
    });
    const { data } = (await create(stage, { template })).body;
    await fanOutAll(world, data, 1, 1);
    await world.kernel.db.run(sql`update templates set status = 'IN_PROCESS' where id = ${template}`);
    await expect(fanOutAll(world, data)).rejects.toMatchObject({ name: 'TEMPLATE_NOT_APPROVED' });
    await world.kernel.db.run(sql`update templates set status = 'COMPLETED' where id = ${template}`);
    await fanOutAll(world, data);
    expect((await sent(stage)).length).toBe(3);
  });
});

describe('a Viber campaign', () => {
  it('sends text, an image, and a button as a promotional message', async () => {
    const stage = await makeChatStage('VIBER');
    const { status, body } = await create(stage, {
      text: 'Hello {first_name:friend}',
      type: 'image',
      url: 'https://files.example.com/spring.jpg',
      button: { text: 'Shop', value: 'https://example.com/shop' },
      validity_seconds: 30,
    });
    expect(status).toBe(201);
    await fanOutAll(world, body.data);
    const [first] = await sent(stage);
    expect(first).toMatchObject({
      text: 'Hello Anna',
      content: { media_type: 'image', purpose: 'promotional', buttons: [{ type: 'link', text: 'Shop' }] },
    });
    await count(world, body.data);
    expect(await readCampaign(stage, body.data.id)).toMatchObject({ cost_micros: 3 * CHAT_PRICES.VIBER.promotional });
  });

  it('is priced as transactional on request, and refuses content that does not fit', async () => {
    const stage = await makeChatStage('VIBER');
    const preview = await stage.caller.post('/v1/campaign_previews', {
      channel: 'VIBER',
      from: stage.sender_id,
      audience: stage.audience_id,
      template: await insertTemplate(stage, { text: 'Your order has shipped', type: 'text', url: null }),
      purpose: 'transactional',
    });
    expect(preview.body.data).toMatchObject({ total_micros: 3 * CHAT_PRICES.VIBER.transactional, blockers: [] });
    const url = 'https://files.example.com/spring.jpg';
    expect(errorCode(await create(stage, { text: 'Hi', type: 'image', url }))).toBe(1520);
    expect(errorCode(await create(stage, { text: 'Hi', purpose: 'transactional' }))).toBe(1539);
    expect(errorCode(await create(stage, { text: 'Hi', purpose: 'marketing' }))).toBe(1705);
    expect(errorCode(await create(stage, { type: 'image' }))).toBe(1532);
  });
});

describe('the targeted countries of a campaign', () => {
  it('exclude the contacts in other countries', async () => {
    const stage = await makeChatStage('VIBER', [{ number: testNumber(11) }, { number: '12025550107', country: 'US' }]);
    const fields = { text: 'Hello', countries: ['us'] };
    const preview = await stage.caller.post('/v1/campaign_previews', {
      channel: 'VIBER',
      from: stage.sender_id,
      audience: stage.audience_id,
      ...fields,
    });
    expect(preview.body.data.counts).toMatchObject({ total: 2, will_receive: 1, country: 1 });
    const { data } = (await create(stage, fields)).body;
    await fanOutAll(world, data);
    expect(await readCampaign(stage, data.id)).toMatchObject({
      countries: ['US'],
      fanned_out: 1,
      skipped: { country: 1 },
    });
    expect(errorCode(await create(stage, { text: 'Hello', countries: [] }))).toBe(1453);
  });
});

describe('a campaign', () => {
  it('counts the reachable contacts before it has a message', async () => {
    for (const channel of ['WHATSAPP', 'VIBER'] as const) {
      const stage = await makeChatStage(channel);
      const body = { channel, from: stage.sender_id, audience: stage.audience_id };
      const { data } = (await stage.caller.post('/v1/campaign_previews', body)).body;
      expect(data).toMatchObject({ counts: { will_receive: 3, no_price: 0 }, total_micros: 0 });
    }
  });

  it('refuses an audience of another channel, and a file that is not its own', async () => {
    const viber = await makeChatStage('VIBER');
    const whatsapp = await makeChatStage('WHATSAPP');
    const sms = await makeAudience(world.kernel, viber.account_id, [{ number: testNumber(1) }]);
    expect(errorCode(await create(viber, { text: 'Hello', audience: sms }))).toBe(1617);
    expect(errorCode(await create(viber, { text: 'Hello', audience: whatsapp.audience_id }))).toBe(1606);
    const media_id = await makeMedia(world.kernel, whatsapp.account_id, {
      type: 'image',
      name: 'a.png',
      content_type: 'image/png',
    });
    expect(errorCode(await create(viber, { type: 'image', media_id }))).toBe(1901);
  });
});
