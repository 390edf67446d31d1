/** Tests of connections to SMS providers over HTTP: operators see the request, the response, and the receipt. */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADAPTERS as SERVER_ADAPTERS } from '../../channels/index.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
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

const secretsOf = (name: AdapterName) =>
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
    for (const secret of secretsOf(name)) {
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

test('the guide of each provider names exactly what its adapter can do', () => {
  for (const adapter of SERVER_ADAPTERS) {
    const { guide } = ADAPTERS[adapter.name as AdapterName];
    const supports: readonly string[] = guide.supports;
    expect(supports.includes('callback'), adapter.name).toBe(adapter.registration !== undefined);
    expect(supports.includes('lookup'), adapter.name).toBe(adapter.lookup !== undefined);
  }
});
