import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import {
  broken,
  crowd,
  listEvents,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../test/campaigns.ts';
import { makeUser, testNumber } from '../test/make.ts';
import { createWorld, until, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all', settings: { NEW_ACCOUNT_COUNTRIES: 'home' } });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const PATH = '/v1/allowed_countries';
const allow = (stage: Stage, body: object) => stage.caller.put(PATH, { enabled: true, countries: ['FR'], ...body });
const send = (stage: Stage, n: number, more: object = {}) =>
  stage.caller.post('/v1/messages', {
    ...{ channel: 'SMS', from: stage.sender_id, to: [testNumber(n)], text: 'Hello', ...more },
  });
const readCode = ({ status, body }: Awaited<ReturnType<typeof send>>): number =>
  status === 200 ? 200 : body.errors[0].code;

test('an account sends to all countries until it allows only some, and then only to those', async () => {
  const stage = await makeStage(world, []);
  expect((await stage.caller.get(PATH)).body.data).toMatchObject({ enabled: false, countries: [] });
  expect(readCode(await send(stage, 1))).toBe(200);
  expect((await allow(stage, { countries: ['fr', 'FR'] })).body.data).toMatchObject({
    enabled: true,
    countries: ['FR'],
  });
  expect(readCode(await send(stage, 2))).toBe(1531);
  // The blacklist does not contain the countries that are not allowed.
  const { body } = await stage.caller.get('/v1/country_blacklist');
  expect(body.data).toMatchObject({ countries: [], inherited: null });
});

test('more countries are opened only with an acknowledgment, which the audit log keeps with the prices', async () => {
  const stage = await makeStage(world, []);
  await allow(stage, {});
  const refused = await allow(stage, { countries: ['FR', 'GB'] });
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 2481]);
  expect(readCode(await send(stage, 1))).toBe(1531);
  expect((await allow(stage, { countries: ['FR', 'GB'], acknowledges_risk: true })).status).toBe(200);
  expect(readCode(await send(stage, 1))).toBe(200);
  const [entry] = (await stage.caller.get('/v1/audit_log')).body.data;
  expect(entry).toMatchObject({
    action: 'allowed_countries.changed',
    user_id: stage.user_id,
    detail: { added: ['GB'], removed: [], risk_acknowledged: ['GB'], prices: { 'GB SMS': '0.04 USD' } },
  });
  // The owners get an email, and webhooks the new list.
  const mails = await world.kernel.db.rows(sql`
    select 1 from mails
    where account_id = ${stage.account_id} and subject = 'Messages to more countries are allowed'`);
  expect(mails).toHaveLength(1);
  expect((await listEvents(world, stage, 'allowed_countries.changed')).at(-1)).toMatchObject({
    ...{ enabled: true, countries: ['FR', 'GB'] },
  });
  // Closing a country needs none, and turning the mode off opens all.
  expect((await allow(stage, { countries: ['GB'] })).status).toBe(200);
  expect((await allow(stage, { enabled: false, countries: ['GB'] })).body.errors[0].code).toBe(2481);
  expect((await allow(stage, { enabled: false, countries: ['GB'], acknowledges_risk: true })).status).toBe(200);
});

test('a blocked country stays blocked if it is allowed', async () => {
  const stage = await makeStage(world, []);
  await allow(stage, { countries: ['GB'] });
  await stage.caller.put(`/v1/country_blacklist/${stage.account_id}`, { countries: ['GB'] });
  expect(readCode(await send(stage, 1))).toBe(1531);
});

test('campaigns count and skip contacts in other countries, and waiting messages to them are canceled', async () => {
  const stage = await makeStage(world, [...crowd(3), { number: '33612345678', country: 'FR' }]);
  const later = await send(stage, 1, { schedule: '2040-01-01 09:00:00' });
  expect(later.status).toBe(200);
  await allow(stage, {});
  const preview = await stage.caller.post('/v1/campaign_previews', {
    ...{ channel: 'SMS', from: stage.sender_id, audience: stage.audience_id, text: 'Hello' },
  });
  expect(preview.body.data.counts).toMatchObject({ country_blocked: 3 });
  await until('the scheduled message is canceled', async () => {
    const { body: found } = await stage.caller.get(`/v1/messages/${later.body.data[0].id}`);
    return found.data.status === 'canceled';
  });
  expect(await readBalance(world, stage)).toEqual({ available_micros: 100_000_000, held_micros: 0 });
  await allow(stage, { countries: ['GB'], acknowledges_risk: true });
  const campaign = await startCampaign(stage);
  await until('the campaign has sent to the allowed country', async () => {
    const { fanned_out, skipped } = await readCampaign(stage, campaign.id);
    return fanned_out === 3 && JSON.stringify(skipped) === '{"country_blocked":1}';
  });
});

test.for([
  [{ countries: [] }, 2482],
  [{ countries: ['XX'] }, 1412],
] as const)('allowing %j is refused with code %i', async ([body, code]) => {
  const stage = await makeStage(world, []);
  const reply = await allow(stage, body);
  expect([reply.status, reply.body.errors[0].code]).toEqual([400, code]);
});

test('a user without the permission to edit the account changes nothing', async () => {
  const stage = await makeStage(world, []);
  const { token } = await makeUser(world.kernel, stage.account_id, { permissions: { ACCOUNTS: 1 } });
  expect((await world.as(token).put(PATH, { enabled: true, countries: ['FR'] })).status).toBe(403);
  expect((await world.as(token).get(PATH)).body.data.enabled).toBe(false);
});

test('new customers can send only to the countries of their company and phone if the setting requires it', async () => {
  const email = 'home@countries.localhost';
  const { status, text } = await world.as().post('/v1/users', {
    ...{ email, password: 'Tangled-teapot-7', first_name: 'Ann', last_name: 'Lane', company_name: 'Home Co' },
    ...{ country_code: 'DE', phone_number: '+33612345678', terms: true },
  });
  expect(status, text).toBe(201);
  const row = await world.kernel.db.one(sql`
    select b.only_allowed, b.allowed from users u join country_blacklists b on b.account_id = u.account_id
    where u.email = ${email}`);
  expect(row).toEqual({ only_allowed: true, allowed: ['DE', 'FR'] });
});
