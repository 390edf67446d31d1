import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { getRouteBook } from '../../messages/messages.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

let world: World;
let operators: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  api = world.as(operators.token);
});
afterAll(() => world?.stop());

const settings = { host: 'smsc.carrier.example', port: 2775, system_id: 'us', password: 'sesame' };
const adapter = 'smpp';
const create = async (name: string) =>
  (await api.post('/v1/connections', { name, adapter, settings })).body.data as { id: string };
const codes = ({ body }: { body: { errors: { code: number }[] } }) => body.errors.map(({ code }) => code);

describe('a connection', () => {
  test('is created, listed, and changed, and its password is never returned', async () => {
    const creation = await api.post('/v1/connections', { name: 'North', adapter, settings });
    expect(creation.status).toBe(201);
    expect(creation.body.data).toMatchObject({
      name: 'North',
      channel: 'SMS',
      enabled: true,
      unknown_policy: 'fail',
      settings: { host: 'smsc.carrier.example', window: 50, multipart: 'udh8' },
      binds: [],
      queued: 0,
    });
    expect(creation.text).not.toContain('sesame');
    const { id } = creation.body.data;
    const update = await api.put(`/v1/connections/${id}`, { unknown_policy: 'resend' });
    expect(update.body.data).toMatchObject({ name: 'North', unknown_policy: 'resend', unknown_grace_seconds: 300 });
    await api.put(`/v1/connections/${id}`, { settings: { ...settings, password: '', window: 10 } });
    await api.put(`/v1/connections/${id}`, { enabled: false });
    const stored = await world.kernel.db.one<{ settings: object; unknown_policy: string }>(
      sql`select settings, unknown_policy, enabled from connections where id = ${id}`,
    );
    expect(JSON.stringify(stored)).not.toContain('sesame');
    const { openSecrets } = await import('../../connections/connections.ts');
    expect({ ...stored, settings: openSecrets(world.kernel, id, 'smpp', stored.settings) }).toMatchObject({
      settings: { password: 'sesame', window: 10 },
      unknown_policy: 'resend',
      enabled: false,
    });
    const events = await world.kernel.db.rows<{ payload: { state: string } }>(
      sql`select payload from events where account_id = ${operators.account_id} and type = 'connection.changed'
        order by id`,
    );
    expect(events.map(({ payload }) => payload.state)).toEqual(['enabled', 'enabled', 'enabled', 'disabled']);
    expect((await api.get(`/v1/connections/${id}`)).body.data).toMatchObject({ id, name: 'North', enabled: false });
    const listed = await api.get('/v1/connections?filter[search]=orth');
    expect(listed.body.data).toMatchObject([{ id, name: 'North', enabled: false }]);
  });

  test('works with an unencrypted password from an older version, which the next change encrypts', async () => {
    const { openSecrets } = await import('../../connections/connections.ts');
    const { id } = await create('Older');
    await world.kernel.db.run(
      sql`update connections set settings = settings || '{"password":"sesame"}' where id = ${id}`,
    );
    const readRows = () =>
      world.kernel.db.one<{ settings: { password: string } }>(sql`select settings from connections where id = ${id}`);
    const clear = (await readRows()).settings;
    expect(openSecrets(world.kernel, id, 'smpp', clear)).toEqual(clear);
    await api.put(`/v1/connections/${id}`, { enabled: false });
    const sealed = (await readRows()).settings;
    expect(sealed.password).not.toContain('sesame');
    expect(openSecrets(world.kernel, id, 'smpp', sealed)).toEqual(clear);
  });

  test.each([
    ['a name that is taken', { name: 'North', adapter, settings }, 409, 1952],
    ['no settings', { name: 'East', adapter }, 400, 1705],
    ['an out-of-range port', { name: 'East', adapter, settings: { ...settings, port: 70_000 } }, 400, 1705],
  ])('is rejected with %s', async (_, body, status, code) => {
    const reply = await api.post('/v1/connections', body);
    expect([reply.status, codes(reply)[0]]).toEqual([status, code]);
  });

  test('requires the credentials of its provider and keeps the stored ones', async () => {
    const problems = ({ body }: { body: { errors: { code: number; field?: string }[] } }) =>
      body.errors.map(({ code, field }) => [code, field]);
    const sinch = { name: 'Sinch', adapter: 'sinch' };
    const missing = [2300, 'settings.callback_secret'];
    const refusal = await api.post('/v1/connections', {
      ...sinch,
      settings: { service_plan_id: 'plan', api_token: ' ' },
    });
    expect(refusal.status).toBe(400);
    expect(problems(refusal)).toEqual([[2300, 'settings.api_token'], missing]);
    const filled = { service_plan_id: 'plan', api_token: 'token', callback_secret: 'x'.repeat(16) };
    const creation = await api.post('/v1/connections', { ...sinch, settings: filled });
    expect(creation.status).toBe(201);
    const { id } = creation.body.data;
    const url = `/v1/connections/${id}`;
    expect((await api.put(url, { settings: { service_plan_id: 'other' } })).status).toBe(200);
    expect(problems(await api.put(url, { settings: {} }))).toEqual([[2300, 'settings.service_plan_id']]);
    // A connection from an older version, which has no secret for callbacks.
    await world.kernel.db.run(sql`
      update connections set settings = settings || '{"callback_secret": ""}' where id = ${id}`);
    expect(problems(await api.put(url, { settings: { service_plan_id: 'plan' } }))).toEqual([missing]);
    expect((await api.put(url, { enabled: false })).status).toBe(200);
  });

  test('is not found when its id is unknown', async () => {
    const missing = '/v1/connections/01a1fd0a-dc6e-776b-9f75-00ea6b9caaae';
    for (const reply of [await api.put(missing, { enabled: false }), await api.get(missing)])
      expect([reply.status, codes(reply)]).toEqual([404, [1951]]);
  });

  test('cannot be viewed by customers or created by operators without permission', async () => {
    const customer = await makeCompany(world.kernel);
    expect(codes(await world.as(customer.token).get('/v1/connections'))).toEqual([1138]);
    const junior = await makeUser(world.kernel, operators.account_id, { permissions: { CHANNELS: 1 } });
    expect((await world.as(junior.token).get('/v1/connections')).status).toBe(200);
    expect((await world.as(junior.token).post('/v1/connections', { name: 'X', adapter, settings })).status).toBe(403);
  });
});

test('production rejects the sandbox as a carrier', async () => {
  const { createConnection } = await import('./connections.ts');
  const sandbox = { ...settings, host: '127.0.0.1', port: Number(world.kernel.config.SANDBOX_PORT) + 1 };
  const parsed = (await import('@parley/contract/connections/connections.ts')).createConnection.body.parse({
    adapter: 'smpp',
    name: 'Box',
    settings: sandbox,
  });
  const production = { ...world.kernel, config: { ...world.kernel.config, MODE: 'production' as const } };
  await expect(world.kernel.db.tx((tx) => createConnection(tx, production, parsed))).rejects.toMatchObject({
    name: 'SANDBOX_NOT_ALLOWED',
  });
  expect((await api.post('/v1/connections', { name: 'Box', adapter, settings: sandbox })).status).toBe(201);
});

test.each([
  ['forbids', 'http://carrier.example'],
  ['forbids', 'http://10.1.2.3:8080'],
  ['allows', 'https://carrier.example'],
  ['allows', 'http://127.0.0.1:8080'],
  ['allows', 'http://localhost:8080'],
])('production %s sending a token to %s', async (verdict, base_url) => {
  const isRefused = verdict === 'forbids';
  const { createConnection, updateConnection } = await import('./connections.ts');
  const contract = await import('@parley/contract/connections/connections.ts');
  const production = { ...world.kernel, config: { ...world.kernel.config, MODE: 'production' as const } };
  const chat = { adapter: 'viber', settings: { base_url, auth_token: 'token' } };
  const make = (kernel: typeof world.kernel, name: string) =>
    world.kernel.db.tx((tx) => createConnection(tx, kernel, contract.createConnection.body.parse({ ...chat, name })));
  const refusal = { name: 'VALUE_INVALID', field: 'settings.base_url' };
  if (isRefused) await expect(make(production, `Clear ${base_url}`)).rejects.toMatchObject(refusal);
  else expect((await make(production, `Safe ${base_url}`)).settings).toMatchObject({ base_url });
  // A stored connection is checked again when it is changed.
  const { id } = await make(world.kernel, `Demo ${base_url}`);
  const change = world.kernel.db.tx((tx) => updateConnection(tx, production, id, { enabled: false }));
  if (isRefused) await expect(change).rejects.toMatchObject(refusal);
  else expect(await change).toMatchObject({ enabled: false });
});

describe('a route', () => {
  test('is created, changed, and removed, and each change takes effect immediately', async () => {
    const [first, second] = [await create('First'), await create('Second')];
    const creation = await api.post('/v1/routes', { connection_id: first.id, country: 'am' });
    expect(creation.status).toBe(201);
    expect(creation.body.data).toMatchObject({ country: 'AM', prefix: null, connection_name: 'First', priority: 10 });
    const carrier_id = async () =>
      (await getRouteBook(world.kernel)).route('SMS', '37491234567', 'AM')?.connection_id ?? null;
    expect(await carrier_id()).toBe(first.id);
    const narrower = await api.post('/v1/routes', { connection_id: second.id, prefix: '37491', priority: 1 });
    expect(await carrier_id()).toBe(second.id);
    await api.put(`/v1/routes/${narrower.body.data.id}`, { enabled: false });
    expect(await carrier_id()).toBe(first.id);
    const update = await api.put(`/v1/routes/${narrower.body.data.id}`, { enabled: true });
    expect(update.body.data).toMatchObject({ prefix: '37491', priority: 1, connection_name: 'Second' });
    expect((await api.get('/v1/routes')).body.data.map((row: { prefix: string }) => row.prefix)).toEqual([
      '37491',
      null,
    ]);
    await api.put(`/v1/connections/${second.id}`, { enabled: false });
    expect(await carrier_id()).toBe(first.id);
    expect((await api.delete(`/v1/routes/${creation.body.data.id}`)).status).toBe(204);
    expect(await carrier_id()).toBeNull();
    expect(codes(await api.delete(`/v1/routes/${creation.body.data.id}`))).toEqual([1953]);
    const entries = (await api.get('/v1/audit_log?filter[search]=route')).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'route.removed',
      'route.updated',
      'route.updated',
      'route.created',
      'route.created',
    ]);
    const carrier = (await api.get('/v1/audit_log?filter[actions]=connection.updated')).body.data[0];
    expect(carrier).toMatchObject({
      target_name: 'Second',
      detail: { host: 'smsc.carrier.example:2775', enabled: false },
    });
    expect(JSON.stringify(carrier)).not.toContain('sesame');
  });

  test('requires an existing connection', async () => {
    const unknownConnection = { connection_id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae' };
    expect(codes(await api.post('/v1/routes', unknownConnection))).toEqual([1951]);
    expect(codes(await api.post('/v1/routes', { connection_id: 'x' }))).toEqual([1951]);
    expect(codes(await api.post('/v1/routes', { ...unknownConnection, country: 'Armenia' }))).toEqual([1412]);
  });
});
