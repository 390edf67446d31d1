/** Managing SMPP accounts, and binding with them. */
import { STATUS } from '@parley/smpp/status.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { makeSmppCustomer, submitSm } from '../test/smpp/customer.ts';
import { makeSubAccount } from '../test/team.ts';
import { type Caller, createWorld, freePort, until, type World } from '../test/world.ts';

let world: World;
let company: Company;
let api: Caller;
beforeAll(async () => {
  world = await createWorld({ role: 'api', settings: { SMPP_PORT: String(await freePort()) } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
});

describe('an SMPP account', () => {
  test('has a password that is shown once and is sealed in the database', async () => {
    const { status, body } = await api.post('/v1/smpp_accounts', {
      name: '  Shop  orders ',
      sources: ['+44 7700 900123'],
    });
    expect(status).toBe(201);
    const { id, password, system_id } = body.data;
    expect(password).toMatch(/^[A-Za-z0-9]{8}$/);
    expect(body.data).toMatchObject({ name: 'Shop orders', sources: ['447700900123'], window: 50, status: 'active' });
    expect((await api.get(`/v1/smpp_accounts/${id}`)).body.data).toMatchObject({ system_id, password: null });
    expect((await api.get('/v1/smpp_accounts')).body.data).toMatchObject([{ id, password: null }]);
    const stored = await world.kernel.db.one<{ password: string }>(sql`
      select password from smpp_accounts where id = ${id}`);
    expect(stored.password).toMatch(/^sealed\./);
    const log = await world.kernel.db.rows<{ detail: object }>(sql`
      select detail from audit_log where account_id = ${company.account_id} and action = 'smpp_account.created'`);
    expect(log).toHaveLength(1);
    expect(JSON.stringify(log)).not.toContain(password);
  });

  test('also accepts the previous password until the grace period ends', async () => {
    const { account, bind } = await makeSmppCustomer(world, company);
    const path = `/v1/smpp_accounts/${account.id}/passwords`;
    const bindWith = async (password: string) => (await bind({ password })).response.command_status;
    const second = (await api.post(path, { grace_seconds: 3_600 })).body.data;
    expect(Date.parse(`${second.previous_expire_date}Z`) - Date.now()).toBeGreaterThan(3_500_000);
    expect(await bindWith(account.password)).toBe(STATUS.ESME_ROK);
    expect(await bindWith(second.password)).toBe(STATUS.ESME_ROK);
    await world.kernel.db.run(sql`
      update smpp_accounts set previous_expire_date = now() - interval '1 second' where id = ${account.id}`);
    expect(await bindWith(account.password)).toBe(STATUS.ESME_RINVPASWD);
    expect((await api.get(`/v1/smpp_accounts/${account.id}`)).body.data.previous_expire_date).toBeNull();

    const third = (await api.post(path, {})).body.data;
    expect(third.previous_expire_date).toBeNull();
    expect(await bindWith(second.password)).toBe(STATUS.ESME_RINVPASWD);
    expect(await bindWith(third.password)).toBe(STATUS.ESME_ROK);
    for (const grace_seconds of [-1, 1.5, 604_801, '60'])
      expect((await api.post(path, { grace_seconds })).body.errors[0].code).toBe(2129);
    expect((await api.post(path)).status, 'without a body, as before').toBe(201);
  });

  test('is not found by another company', async () => {
    const { account } = await makeSmppCustomer(world, company);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const path = `/v1/smpp_accounts/${account.id}`;
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.put(path, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.post(`${path}/passwords`)).status).toBe(404);
    expect((await stranger.get(`${path}/sessions`)).status).toBe(404);
    expect((await stranger.delete(path)).status).toBe(404);
    expect((await stranger.get('/v1/smpp_accounts')).body.data).toEqual([]);
  });

  test('is created only by users who may send messages, and refuses invalid fields', async () => {
    const { token } = await makeUser(world.kernel, company.account_id, { permissions: { KEYS: 15 } });
    const limited = await world.as(token).post('/v1/smpp_accounts', { name: 'Shop' });
    expect(limited.body.errors[0]).toMatchObject({ code: 2473, status: 403 });
    const cases: [object, number][] = [
      [{ name: ' ' }, 2462],
      [{ name: 'x'.repeat(61) }, 2463],
      [{ name: 'Shop', addresses: ['300.1.1.1'] }, 2465],
      [{ name: 'Shop', addresses: Array(51).fill('192.0.2.1') }, 2466],
      [{ name: 'Shop', sources: ['x'.repeat(30)] }, 2467],
      [{ name: 'Shop', bind_types: [] }, 2469],
      [{ name: 'Shop', window: 0 }, 2470],
      [{ name: 'Shop', throughput: 0 }, 2471],
      [{ name: 'Shop', max_binds: 51 }, 2472],
    ];
    for (const [fields, code] of cases) {
      const { body } = await api.post('/v1/smpp_accounts', fields);
      expect(body.errors?.[0].code, JSON.stringify(fields)).toBe(code);
    }
    for (let n = 0; n < 20; n++) await makeSmppCustomer(world, company);
    expect((await api.post('/v1/smpp_accounts', { name: 'One more' })).body.errors[0].code).toBe(2464);
  });
});

describe('a bind', () => {
  test('of a sub-account gets a response with the name of the brand', async () => {
    const reseller = await makeCompany(world.kernel);
    const account_id = await makeSubAccount(world.kernel, reseller);
    const user = await makeUser(world.kernel, account_id, { owner: true });
    const branch = { ...company, ...user, account_id };
    const { bind } = await makeSmppCustomer(world, branch);
    const rename = (name: string) =>
      world.kernel.db.run(sql`
        insert into brands (account_id, name) values (${reseller.account_id}, ${name})
        on conflict (account_id) do update set name = excluded.name`);
    for (const [name, system_id] of [
      ['Café Textos y Más', 'Cafe Textos y M'],
      ['短信', 'SMPP'],
    ] as const) {
      await rename(name);
      const { peer, response } = await bind();
      expect(response).toMatchObject({ command_status: 0, system_id });
      await peer.request({ command: 'unbind', sequence_number: 2 });
    }
  });

  test('is accepted with each bind type, and the session is listed until it unbinds', async () => {
    const { account, bind } = await makeSmppCustomer(world, company);
    const sessions = async () => (await api.get(`/v1/smpp_accounts/${account.id}/sessions`)).body.data;
    for (const type of ['transceiver', 'transmitter', 'receiver'] as const) {
      const { peer, response } = await bind({ type });
      expect(response).toMatchObject({ command_status: 0, system_id: 'Parley', tlvs: { sc_interface_version: 0x34 } });
      expect(await sessions()).toMatchObject([{ bind_type: type, address: '127.0.0.1', tls: false, window: 50 }]);
      expect(await peer.request({ command: 'enquire_link', sequence_number: 7 })).toMatchObject({
        command: 'enquire_link_resp',
        sequence_number: 7,
      });
      expect(await peer.request({ command: 'unbind', sequence_number: 8 })).toMatchObject({ command: 'unbind_resp' });
      await peer.closed;
      await until('the session has ended', async () => (await sessions()).length === 0);
    }
    expect((await api.get(`/v1/smpp_accounts/${account.id}`)).body.data.last_bound_date).not.toBeNull();
  });

  test('gets the same response for an unknown system ID and a wrong password', async () => {
    const { account, bind } = await makeSmppCustomer(world, company);
    const unknown = await bind({ system_id: 'nobody' });
    const wrong = await bind({ password: 'wrong' });
    expect(unknown.response.command_status).toBe(STATUS.ESME_RINVPASWD);
    expect(wrong.response.command_status).toBe(STATUS.ESME_RINVPASWD);
    await wrong.peer.closed;
    expect((await api.get(`/v1/smpp_accounts/${account.id}`)).body.data.last_error).toMatch(
      /^Wrong password \(from 127/,
    );
  });

  test('is refused from other addresses, with other bind types, without TLS, and above its session limit', async () => {
    const refused = async (fields: object, options: object = {}) => {
      const { peer, response } = await (await makeSmppCustomer(world, company, fields)).bind(options);
      peer.destroy();
      return response.command_status;
    };
    expect(await refused({ addresses: ['192.0.2.0/24'] })).toBe(STATUS.ESME_RBINDFAIL);
    expect(await refused({ bind_types: ['receiver'] })).toBe(STATUS.ESME_RBINDFAIL);
    expect(await refused({ tls: true })).toBe(STATUS.ESME_RBINDFAIL);
    const one = await makeSmppCustomer(world, company, { max_binds: 1 });
    const first = await one.bind();
    expect((await one.bind()).response.command_status).toBe(STATUS.ESME_RALYBND);
    first.peer.destroy();
    await until('the place is free', async () => (await one.bind()).response.command_status === 0);
  });

  test('ends when the account is paused, deleted, or disconnected by a user', async () => {
    const { account, bind } = await makeSmppCustomer(world, company);
    const path = `/v1/smpp_accounts/${account.id}`;
    const first = await bind();
    await api.put(path, { status: 'paused' });
    expect(await first.peer.next()).toMatchObject({ command: 'unbind' });
    expect((await bind()).response.command_status).toBe(STATUS.ESME_RBINDFAIL);
    await api.put(path, { status: 'active' });
    const second = await bind();
    const [session] = (await api.get(`${path}/sessions`)).body.data;
    const other = await makeSmppCustomer(world, await makeCompany(world.kernel));
    const strange = `/v1/smpp_accounts/${other.account.id}/sessions/${session.id}`;
    expect((await api.delete(strange)).status).toBe(404);
    expect((await api.delete(`${path}/sessions/${session.id}`)).status).toBe(204);
    expect(await second.peer.next()).toMatchObject({ command: 'unbind' });
    const third = await bind();
    const { password } = (await api.post(`${path}/passwords`)).body.data;
    expect((await bind()).response.command_status).toBe(STATUS.ESME_RINVPASWD);
    expect((await bind({ password })).response.command_status).toBe(0);
    expect((await api.delete(path)).status).toBe(204);
    expect(await third.peer.next()).toMatchObject({ command: 'unbind' });
    expect((await bind({ password })).response.command_status).toBe(STATUS.ESME_RINVPASWD);
  });

  test('does not reveal anything before it is complete', async () => {
    const { account, bind } = await makeSmppCustomer(world, company);
    const { peer } = await bind({ type: 'receiver' });
    expect(await peer.request(submitSm('1', '2', 'Hi'))).toMatchObject({ command_status: STATUS.ESME_RINVBNDSTS });
    expect(
      await peer.request({ command: 'bind_transmitter', sequence_number: 3, system_id: account.system_id }),
    ).toMatchObject({ command_status: STATUS.ESME_RALYBND });
  });
});
