import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeAudience, makeCompany, makeKey, makeSender } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { startNumber, stopNumber, storeMessageConsents } from '../audiences.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender_id: string;
const NUMBER = '447410006001';
const path = `/v1/people/${NUMBER}`;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  ({ sender_id } = await makeSender(world.kernel, company.account_id, { name: 'Shop' }));
  await makeAudience(world.kernel, company.account_id, [{ number: NUMBER }]);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const GIVEN = { channel: 'SMS', purpose: 'marketing', change: 'given', text: 'I want news' };
const readState = async (query = '') =>
  (await owner.get(`${path}/consent_state${query}`)).body.data.states.find(
    (one: { channel: string; purpose: string }) => one.channel === 'SMS' && one.purpose === 'marketing',
  );

test.each<[string, Record<string, unknown>, number]>([
  ['without a channel', { channel: undefined }, 2393],
  ['with an unknown purpose', { purpose: 'fun' }, 2394],
  ['with an unknown change', { change: 'reinstated' }, 2395],
  ['without the text', { text: ' ' }, 2396],
  ['in the future', { date: '2199-01-01 00:00:00' }, 2397],
])('a consent %s is refused', async (_, change, expected) => {
  expect(code(await owner.post(`${path}/consents`, { ...GIVEN, ...change }))).toBe(expected);
});

test('the consent state of a number on a day follows from its earlier consents', async () => {
  const stop = { account_id: company.account_id, sender_id, number: NUMBER, message_id: newId() };
  expect((await readState()).state).toBe('none');
  const given = await owner.post(`${path}/consents`, { ...GIVEN, address: '203.0.113.7', date: '2026-03-13 09:00' });
  expect(given.body.data).toMatchObject({ method: 'manual', text: 'I want news', address: '203.0.113.7' });
  expect((await readState()).consent.id).toBe(given.body.data.id);
  expect((await readState('?date=2026-03-12')).state).toBe('none');
  expect((await readState('?date=2026-03-14')).state).toBe('given');
  await world.kernel.db.tx((tx) => stopNumber(tx, { ...stop, reason: 'keyword', text: 'STOP' }));
  expect(await readState()).toMatchObject({
    state: 'withdrawn',
    consent: { method: 'keyword', text: 'STOP', message_id: stop.message_id, sender_name: 'Shop' },
  });
  expect((await readState('?date=2026-03-14')).state).toBe('given');
  await world.kernel.db.tx((tx) => startNumber(tx, { ...stop, text: 'START' }));
  expect(await readState()).toMatchObject({ state: 'given', consent: { method: 'keyword', text: 'START' } });
  const { id } = (await owner.post('/v1/stop_list', { number: NUMBER })).body.data;
  expect((await readState()).state).toBe('withdrawn');
  await owner.delete(`/v1/stop_list/${id}`);
  expect(await readState()).toMatchObject({ state: 'reinstated', consent: { method: 'manual' } });
  const history = (await owner.get(`${path}/consents`)).body;
  expect(history.data.map((one: { change: string }) => one.change)).toEqual([
    ...['reinstated', 'withdrawn', 'given', 'withdrawn', 'given'],
  ]);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(`${path}/consents`)).body.data).toEqual([]);
  expect(code(await stranger.post(`${path}/consents`, GIVEN))).toBe(2391);
});

test('a consent never changes', async () => {
  const { db } = world.kernel;
  await expect(db.run(sql`update consents set text = '' where account_id = ${company.account_id}`)).rejects.toThrow();
  await expect(db.run(sql`delete from consents where account_id = ${company.account_id}`)).rejects.toThrow();
});

test('a message keeps the consent that it is sent under, unless it was withdrawn', async () => {
  const { db } = world.kernel;
  const { account_id } = company;
  const key = world.as({ key: await makeKey(world.kernel, account_id) });
  const [agreed, withdrawn, silent] = ['447410006002', '447410006003', '447410006004'];
  await makeAudience(world.kernel, account_id, [{ number: agreed! }, { number: withdrawn! }, { number: silent! }]);
  const { body } = await key.post(`/v1/people/${agreed}/consents`, GIVEN);
  expect(body.data.method).toBe('api');
  await key.post(`/v1/people/${withdrawn}/consents`, GIVEN);
  await key.post(`/v1/people/${withdrawn}/consents`, { ...GIVEN, change: 'withdrawn' });
  const messages = [agreed!, withdrawn!, silent!].map((to) => ({ id: newId(), to }));
  await db.tx((tx) => storeMessageConsents(tx, account_id, 'SMS', messages));
  const rows = await db.rows(sql`select message_id, consent_id from message_consents where account_id = ${account_id}`);
  expect(rows).toEqual([{ message_id: messages[0]!.id, consent_id: body.data.id }]);
});
