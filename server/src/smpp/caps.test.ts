/** The limits that operators set for the SMPP accounts of a company. */
import { STATUS } from '@parley/smpp/status.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { makeSmppCustomer, submitSm } from '../test/smpp/customer.ts';
import { type Caller, createWorld, freePort, until, type World } from '../test/world.ts';

let world: World;
let operator: Caller;
let company: Company;
let api: Caller;
let path: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api', settings: { SMPP_PORT: String(await freePort()) } });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
  path = `/v1/accounts/${company.account_id}/smpp_caps`;
});

const codeIn = (reply: { body: { errors?: { code: number }[] } }) => reply.body.errors?.[0]?.code;

test('operators set the limits of a company, and its users see them but cannot change them', async () => {
  await makeSmppCustomer(world, company);
  expect((await operator.get(path)).body.data).toMatchObject({
    ...{ max_accounts: null, max_binds: null, throughput: null, accounts_count: 1, bound_count: 0 },
  });
  const changed = await operator.put(path, { max_accounts: 3, max_binds: 2, throughput: 7 });
  expect(changed.body.data).toMatchObject({ max_accounts: 3, max_binds: 2, throughput: 7 });
  expect((await operator.put(path, { throughput: null })).body.data).toMatchObject({ max_binds: 2, throughput: null });
  const server = (await api.get('/v1/smpp_server')).body.data;
  expect(server).toMatchObject({ max_accounts: 3, max_binds: 2, max_throughput: 1_000 });
  expect((await api.put(path, { max_binds: 50 })).status).toBe(403);
  expect((await api.get(path)).status).toBe(403);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get('/v1/smpp_server')).body.data).toMatchObject({ max_accounts: 20, max_binds: 50 });
  const log = await world.kernel.db.rows<{ detail: unknown }>(sql`
    select detail from audit_log
    where account_id = ${company.account_id} and action = 'smpp_caps.updated' order by id`);
  expect(log[1]!.detail).toEqual({ throughput: { from: 7, to: null } });
  expect(log).toHaveLength(2);
});

test('invalid limits are refused', async () => {
  for (const [fields, code] of [
    [{ max_accounts: -1 }, 2570],
    [{ max_accounts: 21 }, 2570],
    [{ max_binds: 1.5 }, 2571],
    [{ max_binds: '\u0000' }, 1705],
    [{ max_binds: 1_001 }, 2571],
    [{ throughput: 0 }, 2471],
    [{ throughput: '🙂' }, 2471],
  ] as const)
    expect(codeIn(await operator.put(path, fields)), JSON.stringify(fields)).toBe(code);
  expect((await operator.get(`/v1/accounts/${newId()}/smpp_caps`)).status).toBe(404);
  expect((await operator.put(`/v1/accounts/${newId()}/smpp_caps`, { max_binds: 1 })).status).toBe(404);
});

test('an account is not created or changed above the limits', async () => {
  await operator.put(path, { max_accounts: 1, max_binds: 2, throughput: 10 });
  expect(codeIn(await api.post('/v1/smpp_accounts', { name: 'Shop', max_binds: 3 }))).toBe(2572);
  expect(codeIn(await api.post('/v1/smpp_accounts', { name: 'Shop', throughput: 11 }))).toBe(2573);
  const { account } = await makeSmppCustomer(world, company);
  expect(account).toMatchObject({ max_binds: 2, throughput: null });
  const full = await api.post('/v1/smpp_accounts', { name: 'Second' });
  expect([codeIn(full), full.body.errors[0].message]).toEqual([2464, expect.stringContaining('at most 1 ')]);
  const own = `/v1/smpp_accounts/${account.id}`;
  expect(codeIn(await api.put(own, { max_binds: 3 }))).toBe(2572);
  expect(codeIn(await api.put(own, { throughput: 11 }))).toBe(2573);
  expect((await api.put(own, { throughput: 10 })).status).toBe(200);
  // Settings from before the limit was lowered do not prevent other changes.
  await operator.put(path, { throughput: 5 });
  expect((await api.put(own, { name: 'Renamed' })).status).toBe(200);
});

test('two accounts that are created at the same time do not exceed the limit', async () => {
  await operator.put(path, { max_accounts: 1 });
  const replies = await Promise.all([1, 2, 3].map(() => api.post('/v1/smpp_accounts', { name: 'Shop' })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test('the binds of all accounts together count against the limit, even if they arrive at the same time', async () => {
  const [one, two] = [await makeSmppCustomer(world, company), await makeSmppCustomer(world, company)];
  await operator.put(path, { max_binds: 2 });
  const binds = await Promise.all([one, two, one, two].map(({ bind }) => bind()));
  const statuses = binds.map(({ response }) => response.command_status);
  expect(statuses.filter((status) => status === STATUS.ESME_ROK)).toHaveLength(2);
  expect(statuses.filter((status) => status === STATUS.ESME_RALYBND)).toHaveLength(2);
  expect((await operator.get(path)).body.data.bound_count).toBe(2);
  const other = await makeSmppCustomer(world, await makeCompany(world.kernel));
  expect((await other.bind()).response.command_status).toBe(STATUS.ESME_ROK);
});

test('lower limits unbind the newest sessions and keep the oldest', async () => {
  const [one, two] = [await makeSmppCustomer(world, company), await makeSmppCustomer(world, company)];
  const first = await one.bind();
  const second = await one.bind();
  const third = await two.bind();
  // The limit of one account.
  await api.put(`/v1/smpp_accounts/${one.account.id}`, { max_binds: 1 });
  expect(await second.peer.next()).toMatchObject({ command: 'unbind' });
  second.peer.destroy();
  // The company's limit.
  await operator.put(path, { max_binds: 1 });
  expect(await third.peer.next()).toMatchObject({ command: 'unbind' });
  third.peer.destroy();
  // The newest account is above the limit, and its program cannot bind again.
  await operator.put(path, { max_binds: null, max_accounts: 1 });
  await until('the session has ended', async () => (await operator.get(path)).body.data.bound_count === 1);
  expect((await two.bind()).response.command_status).toBe(STATUS.ESME_RBINDFAIL);
  expect(await first.peer.request({ command: 'enquire_link', sequence_number: 9 })).toMatchObject({
    command: 'enquire_link_resp',
  });
  await operator.put(path, { max_accounts: 0 });
  expect(await first.peer.next()).toMatchObject({ command: 'unbind' });
  await operator.put(path, { max_accounts: null });
  expect((await two.bind()).response.command_status).toBe(STATUS.ESME_ROK);
});

test('the accounts of a company share its messages per second', async () => {
  const [one, two] = [await makeSmppCustomer(world, company), await makeSmppCustomer(world, company)];
  await operator.put(path, { throughput: 1 });
  const peers = [(await one.bind()).peer, (await two.bind()).peer];
  const submit = async (index: number) =>
    (await peers[index % 2]!.request(submitSm('Nobody', '447700900123', 'Hi')))?.command_status;
  const statuses = [];
  for (let index = 0; index < 6; index++) statuses.push(await submit(index));
  expect(statuses[0]).toBe(STATUS.ESME_RINVSRCADR);
  expect(statuses).toContain(STATUS.ESME_RTHROTTLED);
  await operator.put(path, { throughput: null });
  await until('the limit is gone', async () => {
    const again = [await submit(0), await submit(1), await submit(0), await submit(1)];
    return !again.includes(STATUS.ESME_RTHROTTLED);
  });
});
