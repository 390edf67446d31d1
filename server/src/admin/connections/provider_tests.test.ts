/** Tests of connections to SMS providers over HTTP: operators see the request, the response, and the receipt. */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADAPTERS as SERVER_ADAPTERS } from '../../channels/index.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { Lookups } from '../../messages/delivery/lookups.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

interface Provider {
  name: AdapterName;
  base_path: string;
  settings: Record<string, string>;
}
let world: World;
let api: Caller;
let providers: Provider[];
const ids = new Map<string, string>();

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  api = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const response = await fetch(`${world.sandbox!.url}/api/providers`);
  ({ providers } = (await response.json()) as { providers: Provider[] });
  for (const { name } of providers) ids.set(name, await connect(name));
});
afterAll(() => world?.stop());

async function connect(name: AdapterName, changes: object = {}, label: string = name): Promise<string> {
  const { base_path, settings } = providers.find((provider) => provider.name === name)!;
  const base_url = `${world.sandbox!.url}${base_path}`;
  const body = {
    name: label,
    adapter: name,
    settings: { ...ADAPTERS[name].defaults, base_url, ...settings, ...changes },
  };
  const { status, body: created, text } = await api.post('/v1/connections', body);
  expect(status, text).toBe(201);
  ids.set(label, created.data.id);
  return created.data.id;
}

const message = { from: '447400990001', to: '+44 7400 111111', text: 'Table for 4 at “Chez Léa” 🍷' };

async function runTest(id: string, changes: object = {}) {
  const created = await api.post(`/v1/connections/${id}/tests`, { ...message, ...changes });
  expect(created.status, created.text).toBe(201);
  const path = `/v1/connections/${id}/tests/${created.body.data.id}`;
  await until('the test is over', async () => ['complete', 'refused'].includes((await api.get(path)).body.data.state));
  return (await api.get(path)).body.data;
}

const listSecrets = (name: AdapterName) =>
  ADAPTERS[name].secrets.options.flatMap((secret: string) => {
    const value = providers.find((provider) => provider.name === name)!.settings[secret];
    return value ? [value] : [];
  });

test('a test shows the exchange with every provider, without its secrets, and the receipt', async () => {
  const results = await Promise.all(providers.map(async ({ name }) => ({ name, data: await runTest(ids.get(name)!) })));
  for (const { name, data } of results) {
    expect(data, name).toMatchObject({ state: 'complete', outcome: { failure: null } });
    const { request, response } = data.exchange;
    expect(request.url, name).toContain(world.sandbox!.url);
    expect(response.status, name).toBeGreaterThanOrEqual(200);
    expect(response.body, name).toContain(data.outcome.ids[0]);
    const shown = JSON.stringify(data.exchange);
    for (const secret of listSecrets(name)) {
      expect(shown, name).not.toContain(secret);
      for (const account of Object.values(providers.find((provider) => provider.name === name)!.settings))
        expect(shown, name).not.toContain(Buffer.from(`${account}:${secret}`).toString('base64'));
    }
    expect(data.findings, name).toContainEqual({ label: 'Status', text: 'Delivered' });
  }
}, 30_000);

test('a preview is the request of the test, and sends nothing', async () => {
  const id = ids.get('twilio')!;
  const before = await world.kernel.db.rows(sql`select id from connection_tests where connection_id = ${id}`);
  const { body, status } = await api.post(`/v1/connections/${id}/request_previews`, message);
  expect(status).toBe(200);
  const [sent] = [(await runTest(id)).exchange.request];
  expect({ ...body.data, body: '' }).toEqual({ ...sent, body: '' });
  const fields = new URLSearchParams(body.data.body);
  expect(fields.get('Body')).toBe(message.text);
  expect(fields.get('To')).toBe('+447400111111');
  const after = await world.kernel.db.rows(sql`select id from connection_tests where connection_id = ${id}`);
  expect(after).toHaveLength(before.length + 1);
});

test('each of several tests with the same number gets its own receipt', async () => {
  const id = ids.get('twilio')!;
  const results = [await runTest(id), await runTest(id), await runTest(id)];
  expect(results.map(({ state }) => state)).toEqual(['complete', 'complete', 'complete']);
  expect(new Set(results.map(({ outcome }) => outcome.ids[0])).size).toBe(3);
}, 30_000);

test('a refused test shows the class of the failure, and does not pause the connection', async () => {
  const id = await connect('twilio', { auth_token: 'wrong-token-of-mine' }, 'Wrong token');
  const data = await runTest(id);
  expect(data).toMatchObject({
    state: 'refused',
    outcome: { failure: { kind: 'connection', code: '20003' } },
    exchange: { response: { status: 401 } },
  });
  expect(JSON.stringify(data)).not.toContain('wrong-token-of-mine');
  expect((await api.get(`/v1/connections/${id}`)).body.data.paused_date).toBeNull();
});

describe('a preview is refused', () => {
  test.each([
    ['the connection does not exist', '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae', {}, 1951],
    ['the sender is missing', 'twilio', { from: '' }, 1958],
    ['the number is invalid', 'twilio', { to: 'nobody' }, 1523],
  ])('when %s', async (_, connection, changes, code) => {
    const id = ids.get(connection) ?? connection;
    const { body } = await api.post(`/v1/connections/${id}/request_previews`, { ...message, ...changes });
    expect(body.errors[0].code).toBe(code);
  });
  test('when the connection uses another protocol', async () => {
    const login = { host: '127.0.0.1', port: 9, system_id: 'off', password: '' };
    const smpp = await api.post('/v1/connections', { name: 'S', adapter: 'smpp', settings: login, enabled: false });
    const { body } = await api.post(`/v1/connections/${smpp.body.data.id}/request_previews`, message);
    expect(body.errors[0].code).toBe(1956);
  });
});

test('the guide of each provider lists exactly the features of its adapter', () => {
  for (const adapter of SERVER_ADAPTERS) {
    const { guide } = ADAPTERS[adapter.name as AdapterName];
    const supports: readonly string[] = guide.supports;
    expect(supports.includes('callback'), adapter.name).toBe(adapter.registration !== undefined);
    expect(supports.includes('lookup'), adapter.name).toBe(adapter.lookup !== undefined);
  }
});

describe('the callback URL', () => {
  const state = async (name: string) => (await api.get(`/v1/connections/${ids.get(name)}`)).body.data.callback_state;

  test.each(
    SERVER_ADAPTERS.filter(
      (adapter) => adapter.registration && ADAPTERS[adapter.name as AdapterName].channel === 'SMS',
    ),
  )('is set at $name through its API', async ({ name }) => {
    await until('the URL is set', async () => (await state(name))?.ok === true);
  });

  test('of another program is not replaced, and operators see why', async () => {
    const { base_path, settings } = providers.find(({ name }) => name === 'twilio')!;
    const { account_sid, auth_token } = settings;
    const account = `${world.sandbox!.url}${base_path}/2010-04-01/Accounts/${account_sid}`;
    const headers = { authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}` };
    const other = 'https://shop.example/sms';
    const set = await fetch(`${account}/IncomingPhoneNumbers/PNsandbox.json`, {
      ...{ method: 'POST', headers },
      body: new URLSearchParams({ SmsUrl: other }),
    });
    expect(set.status).toBe(200);
    // A change of the connection registers the URL again.
    await api.put(`/v1/connections/${ids.get('twilio')}`, { name: 'twilio' });
    await until('the registration is refused', async () => (await state('twilio'))?.ok === false);
    expect((await state('twilio')).text).toContain('already has another URL');
    const numbers = await (await fetch(`${account}/IncomingPhoneNumbers.json`, { headers })).json();
    expect((numbers as { incoming_phone_numbers: object[] }).incoming_phone_numbers).toMatchObject([
      { sms_url: other },
    ]);
  });
});

describe('messages of a customer', () => {
  let customer: Caller;
  beforeAll(async () => {
    await world.kernel.db.run(sql`
      insert into rates (id, channel, country, price_micros, currency) values (${newId()}, 'SMS', 'GB', 40000, 'USD')`);
    const company = await makeCompany(world.kernel);
    await makeSender(world.kernel, company.account_id, { code: '447400990001' });
    customer = world.as(company.token);
  });
  const route = (connection_id: string, prefix: string) => api.post('/v1/routes', { connection_id, prefix });
  const send = async (to: string): Promise<string> => {
    const body = { from: '447400990001', channel: 'SMS', text: 'Your table is ready', to };
    return (await customer.post('/v1/messages', body)).body.data[0].id;
  };
  const read = async (id: string) => (await customer.get(`/v1/messages/${id}`)).body.data;

  test('wait at the daily limit of a connection, which shows how many were taken', async () => {
    const id = await connect('vonage', { daily_limit: 2 }, 'Limited');
    await route(id, '4474150');
    const sent = [await send('447415000001'), await send('447415000002'), await send('447415000003')];
    await until('two messages are delivered', async () => {
      const statuses = await Promise.all(sent.map(async (message_id) => (await read(message_id)).status));
      return statuses.filter((status) => status === 'delivered').length === 2;
    });
    const { body } = await api.get(`/v1/connections/${id}`);
    expect(body.data).toMatchObject({ taken_today: 2, queued: 1 });
    const health = (await api.get('/v1/health')).body.data.checks as { name: string }[];
    expect(health.find(({ name }) => name === 'daily_limits')).toMatchObject({
      ...{ status: 'warning', value: '1 of 1 reached' },
      detail: expect.stringContaining('Limited: 2 of 2 messages today'),
    });
    await api.put(`/v1/connections/${id}`, { settings: { ...body.data.settings, daily_limit: 3 } });
    await until('the last one is delivered', async () =>
      (await Promise.all(sent.map(read))).every(({ status }) => status === 'delivered'),
    );
  }, 30_000);

  test.each(SERVER_ADAPTERS.filter(({ lookup }) => lookup).map(({ name }) => name))(
    '%s is asked for a message whose response was lost, and confirms it',
    async (name) => {
      const prefix = `44741${['twilio', 'plivo', 'sinch'].indexOf(name)}`;
      await route(ids.get(name)!, prefix);
      // No receipt arrives during the test, so only the lookup can prove the message.
      await setCarrier({ receipt_delay_ms: 600_000, receipt_jitter_ms: 0 });
      const id = await send(`${prefix}900910`);
      await until('the outcome is unknown', async () => {
        const row = await world.kernel.db.maybeOne<{ unknown_date: string | null }>(sql`
          select unknown_date from dispatch where message_id = ${id}`);
        return row?.unknown_date != null;
      });
      await new Lookups(world.kernel, '0 seconds').run();
      expect(await read(id)).toMatchObject({ status: 'sent' });
      expect(JSON.stringify((await read(id)).timeline)).toContain('Confirmed by a status query to the carrier');
    },
    20_000,
  );
});

const setCarrier = (settings: object) =>
  fetch(`${world.sandbox!.url}/api/carrier`, {
    ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(settings),
  });
