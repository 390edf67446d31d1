import type { Setup, SetupStep } from '@parley/contract/admin/setup.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { findCodeSender } from '../../verify/verify.ts';

let world: World;
let operators: Company;
let operator: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true, balance_micros: 0, credit_limit_micros: 5_000_000 });
  operator = world.as(operators.token);
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const getSetup = async (): Promise<Setup> => (await operator.get('/v1/setup')).body.data;
const readStatus = async (name: SetupStep) => (await getSetup()).steps.find((step) => step.name === name)!.status;
const setCurrency = (currency: string, body: object) => operator.put(`/v1/currencies/${currency}`, body);
const offered = async () =>
  (await operator.get('/v1/currencies')).body.data.map(
    ({ code, enabled, is_default }: { code: string; enabled: boolean; is_default: boolean }) =>
      `${code}${enabled ? '' : ' off'}${is_default ? ' default' : ''}`,
  );
const operatorsCurrency = async () =>
  (
    await world.kernel.db.one<{ currency: string }>(
      sql`select b.currency from balances b where b.account_id = ${operators.account_id}`,
    )
  ).currency;

test('the checklist lists the missing steps, and each step is done once its data exists', async () => {
  const empty = await getSetup();
  expect(empty.complete).toBe(false);
  expect(Object.fromEntries(empty.steps.map(({ name, status }) => [name, status]))).toEqual({
    operator: 'done',
    address: 'attention',
    mail: 'missing',
    currency: 'done',
    networks: 'missing',
    prices: 'missing',
    connection: 'missing',
    route: 'missing',
    code_sender: 'missing',
  });
  await operator.put('/v1/networks', { apply: true });
  expect(await readStatus('networks')).toBe('done');
  await operator.post('/v1/prices', { channel: 'SMS', country: 'DE', currency: 'EUR', price_micros: 80_000 });
  expect(await readStatus('prices'), 'the operators’ account pays in dollars').toBe('attention');
  await operator.post('/v1/prices', { channel: 'SMS', country: 'DE', currency: 'USD', price_micros: 80_000 });
  expect(await readStatus('prices')).toBe('done');
  const { connection_id } = await makeCarrier(world.kernel);
  expect(await readStatus('connection'), 'no worker has opened a bind').toBe('attention');
  expect(await readStatus('route')).toBe('done');
  await operator.put(`/v1/connections/${connection_id}`, { enabled: false });
  expect(await readStatus('connection')).toBe('missing');
  expect(await readStatus('route'), 'the route leads to a disabled connection').toBe('missing');
});

test('the oldest usable sender carries codes until an operator chooses another one', async () => {
  const first = await makeSender(world.kernel, operators.account_id, { two_way: false });
  const second = await makeSender(world.kernel, operators.account_id, { two_way: false });
  const foreign = await makeSender(world.kernel, (await makeCompany(world.kernel)).account_id);
  const current = async () => (await findCodeSender(world.kernel.db))?.id;
  expect(await current()).toBe(first.sender_id);
  expect(await readStatus('code_sender')).toBe('done');
  const chosen = await operator.put('/v1/code_sender', { sender_id: second.sender_id });
  expect(chosen.body.data).toMatchObject({ sender_id: second.sender_id, chosen_id: second.sender_id });
  expect(await current()).toBe(second.sender_id);
  expect(code(await operator.put('/v1/code_sender', { sender_id: foreign.sender_id }))).toBe(1402);
  await world.kernel.db.run(sql`update senders set status = 'canceled' where id = ${second.sender_id}`);
  expect(await current(), 'an unusable choice does not stop codes').toBe(first.sender_id);
  expect(code(await operator.put('/v1/code_sender', { sender_id: second.sender_id }))).toBe(7941);
  await world.kernel.db.run(
    sql`update balances set credit_limit_micros = 0 where account_id = ${operators.account_id}`,
  );
  expect(await readStatus('code_sender')).toBe('attention');
});

test('exactly one currency is the default, and the operators’ unused account follows it', async () => {
  expect(await offered()).toEqual(['USD default', 'AED', 'AMD', 'EUR', 'RUB']);
  expect(code(await setCurrency('USD', { enabled: false }))).toBe(7939);
  await setCurrency('AED', { enabled: false });
  await setCurrency('EUR', { is_default: true });
  expect(await offered()).toEqual(['EUR default', 'AMD', 'RUB', 'USD', 'AED off']);
  expect(await operatorsCurrency()).toBe('EUR');
  await operator.post(`/v1/accounts/${operators.account_id}/top_ups`, {
    amount_micros: 1_000_000,
    reason: 'Codes',
    reference: 'C1',
  });
  await setCurrency('AED', { is_default: true });
  expect(await offered()).toEqual(['AED default', 'AMD', 'EUR', 'RUB', 'USD']);
  expect(await operatorsCurrency(), 'the account has already paid in euros').toBe('EUR');
});

test('customers cannot read the checklist or change settings', async () => {
  const customer = world.as((await makeCompany(world.kernel)).token);
  for (const path of ['setup', 'currencies', 'code_sender', 'networks'])
    expect((await customer.get(`/v1/${path}`)).status, path).toBe(403);
});
