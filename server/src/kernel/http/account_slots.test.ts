import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { newId } from '../clock.ts';
import { sql } from '../db/db.ts';

let world: World;
let busy: Company;
let quiet: Company;
let from: string;
/** Holds a lock, so that statements on the table take as long as the test needs. */
let blocker: pg.Client;

beforeAll(async () => {
  const settings = { LIST_TIMEOUT_SECONDS: '1', REQUESTS_IN_PROGRESS: '1000' };
  world = await createWorld({ role: 'all', settings });
  await makeCarrier(world.kernel);
  [busy, quiet] = [await makeCompany(world.kernel), await makeCompany(world.kernel)];
  from = (await makeSender(world.kernel, quiet.account_id)).sender_id;
});
afterAll(() => world.stop());
beforeEach(async () => {
  blocker = await world.kernel.db.dedicated('blocker');
});
afterEach(() => blocker.end());

const flood = (path: string): Promise<Reply[]> =>
  Promise.all(Array.from({ length: 40 }, () => world.as(busy.token).get(path)));

/** Calls of another company, and the work that shares the process with them. */
async function useProduct(): Promise<number[]> {
  const caller = world.as(quiet.token);
  const message = { from, to: [testNumber(1)], channel: 'SMS', text: 'Your order is ready' };
  const replies = await Promise.all([
    caller.get('/v1/messages'),
    caller.get(`/v1/balances/${quiet.account_id}`),
    caller.get('/v1/dashboard'),
    caller.post('/v1/messages', message),
    world.as().get('/readyz'),
  ]);
  await world.kernel.db.through('delivery').one(sql`select 1 as delivers`);
  return replies.map(({ status }) => status);
}

test('slow lists of one company are refused with 503 and delay no other company', async () => {
  await blocker.query('begin; lock table templates in access exclusive mode');
  const replies = flood('/v1/templates');
  expect(await useProduct()).toEqual([200, 200, 200, 200, 200]);
  for (const { status, headers, body } of await replies) {
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect([2195, 2196]).toContain(body.errors[0].code);
  }
  await blocker.query('rollback');
  expect((await world.as(busy.token).get('/v1/templates')).status).toBe(200);
});

test('other slow calls of one company use only its share of the connections', async () => {
  await blocker.query('begin; lock table templates in access exclusive mode');
  const replies = flood(`/v1/templates/${newId()}`);
  expect(await useProduct()).toEqual([200, 200, 200, 200, 200]);
  await blocker.query('rollback');
  const results = await replies;
  for (const { status } of results) expect([404, 503]).toContain(status);
});
