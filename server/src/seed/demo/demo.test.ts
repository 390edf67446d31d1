import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { PASSWORD } from '../demo_users.ts';
import { seed } from '../seed.ts';
import { changeDemo, runChange } from './demo.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await seed(world.kernel);
  const basic = Buffer.from(`owner@demo.localhost:${PASSWORD}`).toString('base64');
  const reply = await world.as().raw('/v1/users/self/token', { headers: { authorization: `Basic ${basic}` } });
  token = reply.body.data.access_token;
});
afterAll(() => world.stop());

const owner = () => world.as(token);
const change = (kind: string, company_name = 'harbour  coffee') =>
  owner().post('/v1/demo/changes', { kind, company_name });
const readStep = async () => (await owner().get('/v1/demo')).body.data.change;
const account = async () => (await owner().get('/v1/accounts/self')).body.data;
/** What the owner sees now, in the tables of the current company. */
const figures = async () => {
  const { id } = await account();
  return world.kernel.db.one<Record<string, number>>(sql`
    select (select count(*)::int from messages where account_id = ${id}) as messages,
      (select count(*)::int from campaigns where account_id = ${id}) as campaigns,
      (select count(*)::int from links where account_id = ${id}) as links,
      (select count(*)::int from audiences where account_id = ${id}) as audiences,
      (select count(*)::int from invoices where account_id = ${id}) as invoices,
      (select count(*)::int from conversations where account_id = ${id} and status = 'open') as open,
      (select count(*)::int from conversations where account_id = ${id} and status = 'closed') as closed`);
};

test('the owner empties the demo company and fills it again, with the same history', async () => {
  const before = { account: await account(), figures: await figures() };
  expect(before.figures.messages).toBeGreaterThan(3_000);
  expect(before.figures.closed).toBeGreaterThan(30);
  const rule = { type: 'messages', interval: 'day', countries: ['DE'] };
  expect((await owner().post('/v1/limit_suggestions', rule)).body.data).toMatchObject({ reason: null, risk: {} });
  expect(await readStep()).toBeNull();

  expect((await change('empty')).status).toBe(202);
  expect(await readStep()).toMatchObject({ kind: 'empty', step: 'waiting', error: null });
  expect((await change('fill')).body.errors[0].code).toBe(2567);
  await runChange(world.kernel);
  expect(await readStep()).toMatchObject({ kind: 'empty', step: 'done' });
  const empty = await account();
  expect(empty).toMatchObject({ company_name: 'Harbour Coffee', verified: true, channels: before.account.channels });
  expect(empty.id).not.toBe(before.account.id);
  expect(new Set(Object.values(await figures()))).toEqual(new Set([0]));
  expect((await owner().get('/v1/senders?page_size=10')).body.data).toHaveLength(6);
  expect((await owner().get('/v1/messages?page_size=10')).body.data).toEqual([]);

  expect((await change('fill')).status).toBe(202);
  await runChange(world.kernel);
  expect(await figures()).toEqual(before.figures);
  const closings = await world.kernel.db.one<{ replied: number; closed: number; late: number }>(sql`
    select count(reply_date)::int as replied, count(close_date)::int as closed,
      count(*) filter (where close_date > now())::int as late
    from conversation_episodes where account_id = ${(await account()).id}`);
  expect(closings.late).toBe(0);
  expect(closings.closed).toBe(before.figures.closed);
  expect(closings.replied).toBeGreaterThan(30);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('a change that a crash interrupted is made once', async () => {
  expect((await change('empty')).status).toBe(202);
  const { id } = await account();
  // As left by a worker that was killed in the transaction.
  await world.kernel.db.run(sql`update demo_company set step = 'company'`);
  // The second run waits, and may find that the first one adds the same templates. The job is retried then.
  await Promise.allSettled([runChange(world.kernel), runChange(world.kernel)]);
  await runChange(world.kernel);
  const fresh = (await account()).id;
  expect(fresh).not.toBe(id);
  await runChange(world.kernel);
  expect((await account()).id).toBe(fresh);
  const open = await world.kernel.db.rows(sql`
    select id from accounts where company_name = 'Harbour Coffee' and close_date is null`);
  expect(open).toEqual([{ id: fresh }]);
});

test('the owner can start again after a change that stopped', async () => {
  await world.kernel.db.run(sql`
    update demo_company set step = 'history', error = null, update_date = now() - interval '11 minutes'`);
  expect((await readStep()).error).toContain('interrupted');
  expect((await change('empty')).status).toBe(202);
  await runChange(world.kernel);
  expect(await readStep()).toMatchObject({ step: 'done', error: null });
});

test('a change is refused while a campaign is scheduled, and says why', async () => {
  const { id } = await account();
  await world.kernel.db.run(sql`
    insert into campaigns (account_id, id, name, channel, status) values (${id}, ${id}, 'Later', 'SMS', 'scheduled')`);
  expect(await change('fill')).toMatchObject({ status: 202 });
  await runChange(world.kernel);
  expect((await readStep()).error).toContain('Still open: campaigns');
  expect((await account()).id).toBe(id);
  await world.kernel.db.run(sql`delete from campaigns where account_id = ${id}`);
  expect((await change('empty')).status).toBe(202);
  await runChange(world.kernel);
  expect(await readStep()).toMatchObject({ step: 'done', error: null });
});

test('only the owner of the demo company may change it, and production never does', async () => {
  const stranger = await makeCompany(world.kernel);
  const body = { kind: 'empty', company_name: 'Harbour Coffee' };
  expect((await world.as(stranger.token).post('/v1/demo/changes', body)).body.errors[0].code).toBe(2566);
  expect((await world.as(stranger.token).get('/v1/demo')).status).toBe(404);
  for (const name of ['', 'Harbour', 'Harbour Coffee\u0000', '☕'])
    expect((await change('empty', name)).status, name).toBe(400);
  const basic = Buffer.from(`agent@demo.localhost:${PASSWORD}`).toString('base64');
  const agent = await world.as().raw('/v1/users/self/token', { headers: { authorization: `Basic ${basic}` } });
  expect((await world.as(agent.body.data.access_token).post('/v1/demo/changes', body)).status).toBe(404);
  const production = { ...world.kernel, config: { ...world.kernel.config, MODE: 'production' as const } };
  const { id, user_id } = await account();
  const actor = { account_id: id, user_id } as Actor;
  const refused = world.kernel.db.tx((tx) => changeDemo(tx, production, { actor }, { ...body, kind: 'empty' }));
  await expect(refused).rejects.toMatchObject({ name: 'DEMO_NOT_FOUND' });
  await world.kernel.db.run(sql`update demo_company set step = 'waiting', error = null`);
  await runChange(production);
  expect((await account()).id).toBe(id);
  await world.kernel.db.run(sql`update demo_company set step = 'done'`);
  expect(await readStep()).toMatchObject({ step: 'done' });
});
