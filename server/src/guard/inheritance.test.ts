import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { broken, listEvents, makeStage, type Stage } from '../test/campaigns.ts';
import { makeCompany, testNumber } from '../test/make.ts';
import { createWorld, until, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

interface Group {
  parent: Stage;
  subs: Stage[];
}

/** A company with sub-accounts that can send messages. */
async function makeGroup(count = 2): Promise<Group> {
  const parent = await makeStage(world, []);
  const subs: Stage[] = [];
  for (let n = 0; n < count; n++) {
    const sub = await makeStage(world, []);
    await world.kernel.db.run(sql`
      update accounts set parent_id = ${parent.account_id}, account_type = 'SUB_ACCOUNT'
      where id = ${sub.account_id}`);
    subs.push(sub);
  }
  return { parent, subs };
}

const create = async (stage: Stage, body: object) => {
  const reply = await stage.caller.post('/v1/limits', { type: 'messages', limit: 3, interval: 'month', ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};
let next = 0;
const send = async (stage: Stage, to = testNumber(next++)): Promise<number> => {
  const reply = await stage.caller.post('/v1/messages', {
    ...{ channel: 'SMS', from: stage.sender_id, to: [to], text: 'Hello' },
  });
  return reply.status === 200 ? 200 : reply.body.errors[0].code;
};
const sendMany = async (stage: Stage, count: number): Promise<number> => {
  let accepted = 0;
  for (let n = 0; n < count; n++) if ((await send(stage)) === 200) accepted++;
  return accepted;
};
const overridePath = (sub: Stage, { id }: { id: string }) =>
  `/v1/accounts/self/subaccounts/${sub.account_id}/limits/${id}`;
const codeIn = ({ status, body }: { status: number; body: { errors?: { code: number }[] } }) => [
  status,
  body.errors?.[0]?.code,
];

test('a limit for each sub-account counts the company and every sub-account separately', async () => {
  const { parent, subs } = await makeGroup();
  await create(parent, { sub_accounts: 'each' });
  for (const stage of [parent, ...subs]) expect(await sendMany(stage, 5)).toBe(3);
});

test('a limit for the group counts the company and its sub-accounts together', async () => {
  const { parent, subs } = await makeGroup();
  const limit = await create(parent, { sub_accounts: 'together', limit: 5 });
  expect(await sendMany(parent, 2)).toBe(2);
  expect(await sendMany(subs[0]!, 2)).toBe(2);
  expect(await sendMany(subs[1]!, 3)).toBe(1);
  expect(await send(parent)).toBe(2327);
  expect((await subs[0]!.caller.get(`/v1/limits/${limit.id}`)).body.data).toMatchObject({ used: 5, limit: 5 });
});

test('a limit without sub-accounts does not apply to them', async () => {
  const { parent, subs } = await makeGroup(1);
  await create(parent, { limit: 1 });
  expect(await sendMany(subs[0]!, 2)).toBe(2);
  expect((await subs[0]!.caller.get('/v1/limits')).body.data).toEqual([]);
});

test('a sub-account sees an inherited limit with the name of its company and cannot change it', async () => {
  const { parent, subs } = await makeGroup(1);
  const sub = subs[0]!;
  const limit = await create(parent, { sub_accounts: 'each', limit: 10 });
  const own = await create(sub, { limit: 2 });
  const { body } = await sub.caller.get('/v1/limits');
  const { company_name } = await world.kernel.db.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${parent.account_id}`,
  );
  expect(body.data).toMatchObject([
    { id: own.id, inherited_from: null },
    { id: limit.id, inherited_from: company_name, account_id: parent.account_id, limit: 10 },
  ]);
  expect(codeIn(await sub.caller.put(`/v1/limits/${limit.id}`, { limit: 100 }))).toEqual([403, 2520]);
  expect(codeIn(await sub.caller.delete(`/v1/limits/${limit.id}`))).toEqual([403, 2520]);
  // The stricter limit of its own applies in addition.
  expect(await sendMany(sub, 4)).toBe(2);
});

test('a sub-account cannot share a limit or a country list', async () => {
  const { subs } = await makeGroup(1);
  const { caller, account_id } = subs[0]!;
  const body = { type: 'messages', limit: 1, interval: 'day', sub_accounts: 'each' };
  expect(codeIn(await caller.post('/v1/limits', body))).toEqual([409, 2522]);
  expect(codeIn(await caller.post('/v1/limits', { ...body, sub_accounts: 'some' }))).toEqual([400, 2521]);
  const blacklist = await caller.put(`/v1/country_blacklist/${account_id}`, { countries: [], sub_accounts: true });
  expect(codeIn(blacklist)).toEqual([409, 2524]);
  const allowed = await caller.put('/v1/allowed_countries', { enabled: false, countries: [], sub_accounts: true });
  expect(codeIn(allowed)).toEqual([409, 2524]);
});

test('a company overrides a limit for one sub-account, turns it off, and resets it', async () => {
  const { parent, subs } = await makeGroup();
  const [first, second] = subs as [Stage, Stage];
  const limit = await create(parent, { sub_accounts: 'together', limit: 2 });
  const raised = await parent.caller.put(overridePath(first, limit), { limit: 4 });
  expect(raised.body.data).toMatchObject({ limit: 2, override: { limit: 4 }, used: 0 });
  expect((await first.caller.get('/v1/limits')).body.data).toMatchObject([{ limit: 4, sub_accounts: 'each' }]);
  // It counts separately now, and leaves the group its 2 messages.
  expect(await sendMany(first, 6)).toBe(4);
  expect(await sendMany(second, 3)).toBe(2);
  await parent.caller.put(overridePath(second, limit), { limit: null });
  expect(await sendMany(second, 3)).toBe(3);
  expect((await second.caller.get('/v1/limits')).body.data).toEqual([]);
  expect((await parent.caller.delete(overridePath(second, limit))).status).toBe(204);
  expect(await send(second)).toBe(2327);
  const { body } = await parent.caller.get('/v1/audit_log');
  expect(body.data.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual(
    Array.from({ length: 3 }, () => 'limit.overridden'),
  );
});

test('a company overrides only its own shared limits, and only for its own sub-accounts', async () => {
  const { parent, subs } = await makeGroup(1);
  const other = await makeGroup(1);
  const shared = await create(parent, { sub_accounts: 'each' });
  const unshared = await create(parent, {});
  const foreign = await create(other.parent, { sub_accounts: 'each' });
  const sub = subs[0]!;
  const put = async (to: Stage, limit: { id: string }, body: object = { limit: 5 }) =>
    codeIn(await parent.caller.put(overridePath(to, limit), body));
  expect(await put(other.subs[0]!, shared)).toEqual([404, 1153]);
  expect(await put(sub, foreign)).toEqual([404, 2320]);
  expect(await put(sub, unshared)).toEqual([409, 2523]);
  expect(await put(sub, shared, { limit: 0 })).toEqual([400, 2323]);
  expect(codeIn(await sub.caller.put(overridePath(sub, shared), { limit: 5 }))[0]).toBe(404);
  expect((await other.subs[0]!.caller.get(`/v1/limits/${shared.id}`)).status).toBe(404);
  expect((await parent.caller.get(`/v1/accounts/self/subaccounts/${other.subs[0]!.account_id}/limits`)).status).toBe(
    404,
  );
});

test('32 parallel senders of a group get exactly 60 messages through a limit of 60', async () => {
  const { parent, subs } = await makeGroup(3);
  await create(parent, { sub_accounts: 'together', limit: 60 });
  const senders = [parent, ...subs];
  const sent = await Promise.all(Array.from({ length: 32 }, (_, n) => sendMany(senders[n % 4]!, 4)));
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(60);
  const { messages, used } = await world.kernel.db.one<{ messages: number; used: number }>(sql`
    select (select count(*)::int from messages where account_id = any(${senders.map((one) => one.account_id)}::uuid[]))
             as messages,
           (select sum(used)::int from limit_counters where account_id = ${parent.account_id}) as used`);
  expect({ messages, used }).toEqual({ messages: 60, used: 60 });
});

test('a sub-account and its company are notified of a reached limit and of a warning', async () => {
  const { parent, subs } = await makeGroup();
  const [sub, quiet] = subs as [Stage, Stage];
  const limit = await create(parent, { sub_accounts: 'each', limit: 2, warn_at: [50] });
  expect(await sendMany(sub, 3)).toBe(2);
  for (const stage of [sub, parent])
    for (const type of ['violation.started', 'limit.warning'])
      expect(await listEvents(world, stage, type)).toMatchObject([
        { limit_id: limit.id, account_id: sub.account_id, limit_account_id: parent.account_id },
      ]);
  expect(await listEvents(world, quiet, 'violation.started')).toEqual([]);
  const { body } = await parent.caller.get(`/v1/violations?filter[limit_id]=${limit.id}`);
  expect(body.data).toMatchObject([{ account_id: sub.account_id, blocked: 1 }]);
  expect((await quiet.caller.get('/v1/violations')).body.data).toEqual([]);
  const subjects = async ({ account_id }: Stage) =>
    (
      await world.kernel.db.rows<{ subject: string }>(
        sql`select subject from mails where account_id = ${account_id} and subject like 'Traffic%' order by subject`,
      )
    ).map(({ subject }) => subject);
  for (const stage of [sub, parent])
    await until('the emails are stored', async () => (await subjects(stage)).length === 2);
  // A change ends the violation for both.
  await parent.caller.put(`/v1/limits/${limit.id}`, { limit: 5 });
  for (const stage of [sub, parent]) expect(await listEvents(world, stage, 'violation.expired')).toHaveLength(1);
  expect(await send(sub)).toBe(200);
});

test('a company does not see the recipient that reached a limit of its sub-account', async () => {
  const { parent, subs } = await makeGroup(1);
  const sub = subs[0]!;
  await create(parent, { type: 'messages_per_recipient', sub_accounts: 'each', limit: 1 });
  const to = testNumber(next++);
  expect([await send(sub, to), await send(sub, to)]).toEqual([200, 2327]);
  const scopes = async ({ caller }: Stage) =>
    (await caller.get('/v1/violations')).body.data.map(({ scope }: { scope: string }) => scope);
  await until('the violation is noted', async () => (await scopes(sub)).length === 1);
  expect([await scopes(sub), await scopes(parent)]).toEqual([[to], ['']]);
  expect(await listEvents(world, parent, 'violation.started')).toMatchObject([{ scope: '' }]);
});

test('only an exception of the company opens an inherited country list, not the sub-account', async () => {
  const { parent, subs } = await makeGroup();
  const [sub, sibling] = subs as [Stage, Stage];
  const path = `/v1/country_blacklist/${parent.account_id}`;
  await parent.caller.put(path, { countries: ['GB'], sub_accounts: true });
  expect(await send(sub)).toBe(1531);
  expect((await sub.caller.get('/v1/country_blacklist')).body.data).toMatchObject({
    ...{ countries: [], inherited: { countries: ['GB'] } },
  });
  await sub.caller.put(`/v1/country_blacklist/${sub.account_id}`, { countries: [] });
  expect(await send(sub)).toBe(1531);
  const exceptions = `/v1/accounts/self/subaccounts/${sub.account_id}/country_exceptions`;
  expect(codeIn(await parent.caller.put(exceptions, { countries: ['GB'] }))).toEqual([400, 2481]);
  await parent.caller.put(exceptions, { countries: ['GB'], acknowledges_risk: true });
  expect([await send(sub), await send(sibling), await send(parent)]).toEqual([200, 1531, 1531]);
  await parent.caller.put(exceptions, { countries: [] });
  expect(await send(sub)).toBe(1531);
  await parent.caller.put(path, { countries: [], sub_accounts: true });
  expect(await send(sub)).toBe(200);
});

test('an inherited list of allowed countries narrows the list of the sub-account', async () => {
  const { parent, subs } = await makeGroup(1);
  const sub = subs[0]!;
  const body = { enabled: true, countries: ['DE'], sub_accounts: true };
  expect((await parent.caller.put('/v1/allowed_countries', body)).status).toBe(200);
  expect(await send(sub)).toBe(1531);
  await sub.caller.put('/v1/allowed_countries', { enabled: true, countries: ['GB', 'DE'] });
  expect(await send(sub)).toBe(1531);
  expect((await sub.caller.get('/v1/allowed_countries')).body.data).toMatchObject({ inherited: { countries: ['DE'] } });
  const exceptions = `/v1/accounts/self/subaccounts/${sub.account_id}/country_exceptions`;
  await parent.caller.put(exceptions, { countries: ['GB'], acknowledges_risk: true });
  expect(await send(sub)).toBe(200);
});

test('a waiting message of a sub-account is canceled when its company blocks the country', async () => {
  const { parent, subs } = await makeGroup(1);
  const sub = subs[0]!;
  const later = await sub.caller.post('/v1/messages', {
    ...{ channel: 'SMS', from: sub.sender_id, to: [testNumber(1)], text: 'Later', schedule: '2040-01-01 09:00:00' },
  });
  await parent.caller.put(`/v1/country_blacklist/${parent.account_id}`, { countries: ['GB'], sub_accounts: true });
  await until('the message is canceled', async () => {
    const { body } = await sub.caller.get(`/v1/messages/${later.body.data[0].id}`);
    return body.data.status === 'canceled';
  });
});

test('a busy group does not block another company', async () => {
  const { parent, subs } = await makeGroup(1);
  await create(parent, { sub_accounts: 'together', limit: 1 });
  const quiet = await makeCompany(world.kernel);
  await sendMany(subs[0]!, 3);
  expect((await world.as(quiet.token).get('/v1/limits')).body.data).toEqual([]);
  expect((await world.as(quiet.token).get('/v1/violations')).body.data).toEqual([]);
});
