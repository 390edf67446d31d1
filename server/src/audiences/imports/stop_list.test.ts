import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv } from '../../test/imports.ts';
import { makeCompany, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

const STOP_IMPORTS = '/v1/stop_list_imports';
let world: World;
let owner: Caller;
let account_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const company = await makeCompany(world.kernel, { country: 'US' });
  account_id = company.account_id;
  owner = world.as(company.token);
});
afterAll(async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  await world.stop();
});

test('the numbers in a file are stopped for all senders once, with a history and a consent', async () => {
  await owner.post('/v1/stop_list', { number: '+14155550102' });
  const file = csv('Name,Phone\nAnn,415 555 0101\nBo,+14155550102\nAgain,+14155550101\nNobody,12\n');
  const first = await owner.upload(STOP_IMPORTS, {}, file);
  expect(first.status, first.text).toBe(201);
  expect(first.body.data).toEqual({
    ...{ total_rows: 4, added_count: 1, existing_count: 1, duplicate_count: 1, invalid_count: 1 },
  });
  const second = await owner.upload(STOP_IMPORTS, {}, file);
  expect(second.body.data).toMatchObject({ added_count: 0, existing_count: 2 });
  const { body } = await owner.get('/v1/stop_list?filter[search]=14155550101');
  expect(body.data).toMatchObject([{ number: '14155550101', sender_id: null, reason: 'manual' }]);
  const { states } = (await owner.get('/v1/people/14155550101/consent_state')).body.data;
  expect(new Set(states.map(({ state }: { state: string }) => state))).toEqual(new Set(['withdrawn']));
});

test('a file without numbers changes nothing, and a user needs the permission for the stop list', async () => {
  const reply = await owner.upload(STOP_IMPORTS, {}, csv('City,Color\nBern,red\nRome,blue\n'));
  expect(reply.body.errors[0].code).toBe(1311);
  const { token } = await makeUser(world.kernel, account_id, { permissions: { AUDIENCES: 15 } });
  expect((await world.as(token).upload(STOP_IMPORTS, {}, csv('Number\n+14155550199\n'))).status).toBe(403);
  expect((await owner.get('/v1/stop_list?filter[search]=14155550199')).body.data).toEqual([]);
});
