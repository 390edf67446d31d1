/** The results by network and reason of failure, and audiences of the people behind each figure. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  count,
  crowd,
  fanOutAll,
  makeStage,
  type Stage,
  startCampaign,
  writeBack,
} from '../../test/campaigns.ts';
import { listContacts } from '../../test/imports.ts';
import { makeUser } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';

const PRICE = 40_000;
const [ANN, BO, CY] = crowd(3).map(({ number }) => number) as [string, string, string];
const US = '12025550107';

let world: World;
let stage: Stage;
let id: string;
/** Ann replies, Bo is refused, Cy's message expires, the one in the US has no receipt, and two contacts are skipped. */
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const { db } = world.kernel;
  const others = [
    { number: US, country: 'US', first_name: 'Una' },
    { number: '33612345678', country: 'FR', first_name: 'Unpriced' },
    { number: crowd(1, 9)[0]!.number, first_name: 'Stopped' },
  ];
  stage = await makeStage(world, [...crowd(3), ...others]);
  await stage.caller.post('/v1/stop_list', { number: others[2]!.number });
  const campaign = await startCampaign(stage);
  id = campaign.id;
  await fanOutAll(world, campaign);
  const set = (number: string, status: string, failure: string) =>
    db.run(sql`
      update messages set status = ${status}, failure = ${failure}, charge = 'released'
      where account_id = ${stage.account_id} and number = ${number}`);
  await set(BO, 'failed', 'rejected');
  await set(CY, 'expired', 'expired');
  await applyCarrierStatus(world, campaign, 'sent');
  await db.run(sql`
    update messages set status = 'delivered' where account_id = ${stage.account_id} and number = ${ANN}`);
  await count(world, campaign);
  await writeBack(world, stage, ANN, 'Yes');
});
afterAll(() => world.stop());

const results = async () => (await stage.caller.get(`/v1/campaigns/${id}/results`)).body.data;
const create = (body: object, caller = stage.caller) => caller.post(`/v1/campaigns/${id}/audiences`, body);
const numbersIn = async (audience_id: string) =>
  (await listContacts(stage.caller, audience_id)).map(({ number }) => number).sort();

test('the results have every network, every reason of failure, and what was not charged', async () => {
  const { networks, failures, actual, links } = await results();
  const sums = networks.map((row: Record<string, unknown>) => [
    ...[row.country, row.recipients, row.delivered, row.failed, row.cost_micros],
  ]);
  expect(sums).toEqual([
    ['GB', 3, 1, 2, PRICE],
    ['US', 1, 0, 0, PRICE],
  ]);
  expect(failures).toEqual([
    { failure: 'expired', recipients: 1 },
    { failure: 'rejected', recipients: 1 },
  ]);
  expect(actual).toEqual([
    { country: 'GB', recipients: 3, cost_micros: PRICE, uncharged: 2, uncharged_micros: 2 * PRICE },
    { country: 'US', recipients: 1, cost_micros: PRICE, uncharged: 0, uncharged_micros: 0 },
  ]);
  expect(links).toEqual([]);
});

test('each link has the recipients who opened it', async () => {
  const { db } = world.kernel;
  const link_id = newId();
  await db.run(sql`
    insert into links (account_id, id, url, source, campaign_id)
    values (${stage.account_id}, ${link_id}, 'https://example.com/menu', 'campaign', ${id})`);
  for (const kind of ['person', 'person', 'bot'])
    await db.run(sql`
      insert into link_clicks (account_id, id, link_id, kind, is_unique, device, message_id, number, click_date)
      select account_id, ${newId()}, ${link_id}, ${kind}, false, 'phone', id, number, now() from messages
      where account_id = ${stage.account_id} and campaign_id = ${id} and number = ${ANN}`);
  expect((await results()).links).toEqual([{ id: link_id, url: 'https://example.com/menu', clicked: 1 }]);
  const reply = await create({ response: 'clicked' });
  expect(await numbersIn(reply.body.data.id)).toEqual([ANN]);
});

test.each([
  ['undelivered', { bucket: 'failed' }, () => [BO, CY]],
  ['delivered', { bucket: 'delivered' }, () => [ANN]],
  ['sent', { bucket: 'sent' }, () => [US]],
  ['replied', { response: 'replied' }, () => [ANN]],
  ['recipients', { search: 'una' }, () => [US]],
  ['skipped', { bucket: 'skipped', reason: 'no_price' }, () => ['33612345678']],
] as const)('the people of a list become an audience: %s', async (word, body, expected) => {
  const reply = await create(body);
  expect([reply.status, reply.body.data.name]).toEqual([201, expect.stringContaining(`(${word})`)]);
  expect(reply.body.data).toMatchObject({ channel: 'SMS', contacts_count: expected().length });
  expect(await numbersIn(reply.body.data.id)).toEqual([...expected()].sort());
});

test('an audience without people, for another account, or without permission is refused', async () => {
  const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;
  expect(code(await create({ bucket: 'canceled' }))).toBe(2687);
  expect(code(await create({ bucket: 'nowhere' }))).toBe(1705);
  expect(code(await create({ name: '  ' }))).toBe(1303);
  const stranger = await makeStage(world, crowd(1));
  expect(code(await create({}, stranger.caller))).toBe(1601);
  const viewer = await makeUser(world.kernel, stage.account_id, { permissions: { CAMPAIGNS: 15, AUDIENCES: 1 } });
  expect((await create({}, world.as(viewer.token))).status).toBe(403);
});
