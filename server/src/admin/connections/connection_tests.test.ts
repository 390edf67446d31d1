/** Tests connections to a sandbox carrier that does not match the settings. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { makeCompany, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

let world: World;
let carrier: Carrier;
let api: Caller;
let operators: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  carrier = openCarrier(world);
  operators = await makeCompany(world.kernel, { operator: true });
  api = world.as(operators.token);
}, 60_000);
afterAll(() => world?.stop());

const codes = ({ body }: { body: { errors: { code: number }[] } }) => body.errors.map(({ code }) => code);

async function makeConnection(name: string, settings: object = {}): Promise<string> {
  const login = { host: '127.0.0.1', port: world.sandbox!.smpp, system_id: name, password: 'sandbox' };
  const { body } = await api.post('/v1/connections', { name, adapter: 'smpp', settings: { ...login, ...settings } });
  const { id } = body.data as { id: string };
  await until('the bind is up', async () => {
    const { binds } = (await api.get(`/v1/connections/${id}`)).body.data as { binds: { state: string }[] };
    return binds[0]?.state === 'bound';
  });
  return id;
}

async function runTest(connection_id: string, to = '12025550188') {
  const created = await api.post(`/v1/connections/${connection_id}/tests`, { from: 'Parley', to });
  expect(created.status).toBe(201);
  const path = `/v1/connections/${connection_id}/tests/${created.body.data.id}`;
  await until('the test is over', async () =>
    ['complete', 'refused'].includes((await api.get(path)).body.data.state as string),
  );
  const { data } = (await api.get(path)).body;
  const proposed = (data.proposals as { setting: string; proposed: unknown }[]).map(
    ({ setting, proposed: value }) => [setting, value] as const,
  );
  return { data, path, proposed: Object.fromEntries(proposed) };
}

describe('a connection test', () => {
  test('proposes the settings of the carrier, and nothing when they are applied', async () => {
    await carrier.set({ id_format: 'decimal', receipt_delay_ms: 20, receipt_jitter_ms: 0 });
    const id = await makeConnection('quirks');
    // Single digits look the same in decimal and in hexadecimal, so the first IDs prove nothing.
    for (let n = 0; n < 10; n++) await carrier.write('447400500999', '63420', `Message ${n}`);
    await carrier.set({
      id_format: 'mixed',
      clock_offset_minutes: 330,
      omitted_country_code: 1,
      echo_reference: false,
    });
    const first = await runTest(id);
    expect(first.data.state).toBe('complete');
    expect(first.proposed).toEqual({
      id_format: 'hex_to_decimal',
      utc_offset_minutes: 330,
      echoes_reference: false,
      country: 'US',
    });
    const { settings } = (await api.get(`/v1/connections/${id}`)).body.data;
    await api.put(`/v1/connections/${id}`, { settings: { ...settings, ...first.proposed } });
    expect((await api.get(first.path)).body.data.proposals).toEqual([]);
    await until('the bind is up again', async () => {
      const { binds } = (await api.get(`/v1/connections/${id}`)).body.data as { binds: { state: string }[] };
      return binds[0]?.state === 'bound';
    });
    expect((await runTest(id)).proposed).toEqual({});
    const left = await world.kernel.db.rows(sql`select 1 from unmatched_reports where connection_id = ${id}`);
    expect(left).toEqual([]);
  }, 60_000);

  test('proposes another validity period when the carrier refuses it', async () => {
    await carrier.set({ validity: 'absolute' });
    const id = await makeConnection('strict');
    const { data, proposed } = await runTest(id);
    expect(data.state).toBe('refused');
    expect(proposed).toEqual({ validity: 'absolute' });
    await carrier.set({ validity: 'any' });
  });

  test('is rejected when the connection cannot be tested or the input is invalid', async () => {
    const viber = await api.post('/v1/connections', {
      name: 'Viber',
      adapter: 'viber',
      settings: { base_url: 'http://127.0.0.1:9', auth_token: 'token' },
    });
    const start = (id: string, body: object) => api.post(`/v1/connections/${id}/tests`, body);
    expect(codes(await start(viber.body.data.id, { from: 'Parley', to: '12025550188' }))).toEqual([1956]);
    const login = { host: '127.0.0.1', port: 9, system_id: 'off', password: '' };
    const off = await api.post('/v1/connections', { name: 'Off', adapter: 'smpp', settings: login, enabled: false });
    const { id } = off.body.data;
    expect(codes(await start(id, { from: 'Parley', to: '12025550188' }))).toEqual([1957]);
    await api.put(`/v1/connections/${id}`, { enabled: true });
    expect(codes(await start(id, { from: 'Parley', to: 'nobody' }))).toEqual([1523]);
    expect(codes(await start(id, { from: '', to: '12025550188' }))).toEqual([1958]);
    const missing = '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae';
    expect(codes(await start(missing, { from: 'Parley', to: '12025550188' }))).toEqual([1951]);
    expect(codes(await api.get(`/v1/connections/${id}/tests/${missing}`))).toEqual([1955]);
  });

  test('requires permission to edit connections', async () => {
    const junior = await makeUser(world.kernel, operators.account_id, { permissions: { CHANNELS: 1 } });
    const { body } = await api.get('/v1/connections');
    const [{ id }] = body.data;
    const start = await world.as(junior.token).post(`/v1/connections/${id}/tests`, { from: 'P', to: '12025550188' });
    expect(start.status).toBe(403);
  });
});
