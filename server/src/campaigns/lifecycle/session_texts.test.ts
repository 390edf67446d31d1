/** Tests automations on WhatsApp that send a free text to people whose session is open. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { InboundIntake } from '../../messages/inbound/intake.ts';
import { broken, count, fanOutAll, joinAudience, makeStage, type Stage } from '../../test/campaigns.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { makeAudience, makeCarrier, makeCompany, testNumber } from '../../test/make.ts';
import { makeTemplate } from '../../test/templates.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { getCampaign } from '../campaigns.ts';
import { startDue } from './schedule.ts';

const HOUR = 3_600_000;
const clock = heldClock(new Date(Math.ceil(Date.now() / (24 * HOUR)) * 24 * HOUR + 10 * HOUR));
let world: World;
let stage: Stage;
let whatsapp: ChatSender;
let template: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  await makeCarrier(world.kernel);
});
beforeEach(async () => {
  const owner = await makeCompany(world.kernel, { balance_micros: 10_000_000 });
  whatsapp = await makeChatSender(world.kernel, owner.account_id, 'WHATSAPP');
  const audience_id = await makeAudience(world.kernel, owner.account_id, []);
  await world.kernel.db.run(sql`update audiences set channel = 'WHATSAPP' where id = ${audience_id}`);
  stage = { ...owner, caller: world.as(owner.token), sender_id: whatsapp.sender_id, audience_id };
  template = await makeTemplate(world.kernel, owner.account_id, {
    ...{ channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '17' },
    text: 'Hello {first_name:there}, welcome.',
  });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const [ann, ben, cleo] = [1, 2, 3].map(testNumber) as [string, string, string];
const TEXT = 'Thanks for writing, {first_name:friend}! See {url=https://shop.example.com/menu}';

const post = (fields: Record<string, unknown>) =>
  stage.caller.post('/v1/campaigns', {
    ...{ channel: 'whatsapp', from: stage.sender_id, audience: stage.audience_id, name: 'Welcome' },
    ...{ trigger: { on: 'joined' }, ...fields },
  });
async function automate(fields: Record<string, unknown>): Promise<Campaign> {
  const reply = await post(fields);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
}
const problems = (reply: Reply): [number, string | undefined][] =>
  reply.body.errors.map(({ code, field }: { code: number; field?: string }) => [code, field]);
const write = async (number: string) => {
  const connection = await readConnection(world.kernel, whatsapp.connection_id);
  await new InboundIntake(world.kernel).add(connection, makeIncoming(whatsapp, number, {}));
};
const join = (number: string) => joinAudience(world, stage, number, null);

/** Starts what is due on two workers, and creates the messages in batches. */
async function tick(automation: Campaign, batch = 1_000): Promise<Campaign> {
  await Promise.all([startDue(world.kernel), startDue(world.kernel)]);
  await startDue(world.kernel);
  const { account_id, id: series_id } = automation;
  const [run] = await world.kernel.db.rows<{ id: string }>(sql`
    select id from campaigns where account_id = ${account_id} and series_id = ${series_id} order by run_date desc`);
  const started = await getCampaign(world.kernel.db, account_id, run!.id);
  await fanOutAll(world, started, batch);
  await count(world, started);
  return getCampaign(world.kernel.db, account_id, run!.id);
}
const listSent = () =>
  world.kernel.db.rows<{ number: string; text: string; type: string; template_id: string | null; purpose: string }>(sql`
    select number, text, type, template_id, content->>'purpose' as purpose, price_micros from messages
    where account_id = ${stage.account_id} and direction = 'MT' order by number, id`);

test.each([1, 1_000])('people get the text or the template, and one message each, in batches of %i', async (batch) => {
  await write(ann);
  const automation = await automate({ template, session_text: TEXT });
  expect(automation).toMatchObject({ session_text: TEXT, template_id: template });
  for (const number of [ann, ben, cleo]) await join(number);
  const run = await tick(automation, batch);
  const templated = (name: string) => ({
    ...{ text: `Hello ${name}, welcome.`, type: 'text', template_id: template, purpose: 'utility' },
    price_micros: CHAT_PRICES.WHATSAPP.utility,
  });
  expect(await listSent()).toEqual([
    {
      ...{ number: ann, type: 'text', template_id: null, purpose: 'service' },
      text: expect.stringMatching(/^Thanks for writing, friend! See https?:\/\/\S+$/),
      price_micros: CHAT_PRICES.WHATSAPP.service,
    },
    { number: ben, ...templated('there') },
    { number: cleo, ...templated('there') },
  ]);
  expect(run).toMatchObject({ total: 3, fanned_out: 3, skipped: {}, session_text: TEXT });
});

test('without a template, people whose session is closed are skipped with the reason', async () => {
  await write(ann);
  const automation = await automate({ session_text: TEXT });
  for (const number of [ann, ben]) await join(number);
  const run = await tick(automation);
  expect((await listSent()).map(({ number }) => number)).toEqual([ann]);
  expect(run).toMatchObject({ total: 2, fanned_out: 1, skipped: { no_session: 1 } });
  const skips = await stage.caller.get(`/v1/campaigns/${run.id}/skips?filter[reason]=no_session`);
  expect(skips.body.data.map(({ number }: { number: string }) => number)).toEqual([ben]);
});

test('people whose session has ended get the template', async () => {
  const automation = await automate({ template, session_text: TEXT });
  await write(ann);
  clock.advance(25 * HOUR);
  await join(ann);
  await tick(automation);
  expect((await listSent()).map(({ template_id }) => template_id)).toEqual([template]);
});

test('without a template, people whose session is closed get the fallback', async () => {
  const sms = await makeStage(world, []);
  await world.kernel.db.run(sql`update senders set account_id = ${stage.account_id} where id = ${sms.sender_id}`);
  await write(ann);
  const fallbacks = [{ channel: 'SMS', from: sms.sender_id, text: 'Welcome!', trigger: 'failed' }];
  const automation = await automate({ session_text: TEXT, fallbacks });
  for (const number of [ann, ben]) await join(number);
  const run = await tick(automation);
  expect(run).toMatchObject({ total: 2, fanned_out: 2, skipped: {} });
  const channels = await world.kernel.db.rows(sql`
    select number, channel, text from messages
    where account_id = ${stage.account_id} and direction = 'MT' order by number`);
  expect(channels).toMatchObject([
    { number: ann, channel: 'WHATSAPP' },
    { number: ben, channel: 'SMS', text: 'Welcome!' },
  ]);
});

test('the preview counts who gets the text, the template, or nothing, with the price of each', async () => {
  for (const number of [ann, ben, cleo]) await join(number);
  await write(ann);
  const preview = async (fields: object) => {
    const draft = { channel: 'whatsapp', from: stage.sender_id, audience: stage.audience_id, session_text: TEXT };
    const reply = await stage.caller.post('/v1/campaign_previews', { ...draft, trigger: { on: 'joined' }, ...fields });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.data;
  };
  const { service, utility } = CHAT_PRICES.WHATSAPP;
  expect(await preview({ template })).toMatchObject({
    counts: { total: 3, will_receive: 3, no_session: 0 },
    open_sessions: 1,
    total_micros: service + 2 * utility,
    blockers: [],
  });
  const alone = await preview({});
  expect(alone).toMatchObject({
    counts: { total: 3, will_receive: 1, no_session: 2 },
    open_sessions: 1,
    total_micros: service,
    blockers: [],
  });
  expect(alone.warnings.map(({ message }: { message: string }) => message)).toContain(
    '2 recipients will not receive the message: 2 who have not written in the last 24 hours',
  );
  expect(await preview({ template, session_text: '' })).toMatchObject({ open_sessions: null });
});

test('the text is refused where it cannot apply, and when it is invalid', async () => {
  expect(problems(await post({ template, session_text: TEXT, trigger: null }))).toContainEqual([2721, 'session_text']);
  const sms = await makeStage(world, []);
  const other = await sms.caller.post('/v1/campaigns', {
    ...{ from: sms.sender_id, audience: sms.audience_id, text: 'Hi', trigger: { on: 'joined' }, session_text: 'Hi' },
  });
  expect(problems(other)).toEqual([[2721, 'session_text']]);
  expect(problems(await post({ template, session_text: 'Hi {nickname}' }))).toEqual([[1615, 'text']]);
  expect(problems(await post({ template, session_text: 'x'.repeat(1001) }))).toEqual([[1510, 'session_text']]);
  expect(problems(await post({}))).toEqual([[1607, 'text']]);
  // A draft can be incomplete.
  const draft = await automate({ session_text: ' ', start: false });
  expect(draft.session_text).toBeNull();
});
