import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, startSandbox, until, type World } from '../../test/world.ts';
import { checkVatNumber } from './checks.ts';

let folder: string;
let world: World;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let operator: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-vat-'));
  sandbox = await startSandbox(folder);
  world = await createWorld({ settings: { VIES_URL: `${sandbox.url}/vies` } });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const entity = {
    ...{ name: 'Parley GmbH', address: 'Am Kai 4', country_code: 'DE', bank_details: '', number_prefix: 'P-' },
    vat_number: 'DE136695976',
  };
  expect((await operator.put('/v1/invoice_entities/1', entity)).status).toBe(200);
});
afterAll(async () => {
  await world.stop();
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

async function makeCustomer() {
  const company = await makeCompany(world.kernel, { balance_micros: 0, country: 'FR' });
  const caller = world.as(company.token);
  const save = (vat_number: string) => caller.put('/v1/accounts/self', { vat_number });
  const read = async () => (await caller.get(`/v1/vat_checks/${company.account_id}`)).body.data;
  const tax = async () => {
    const { tax_rate, reverse_charge } = (await caller.get('/v1/transaction/stripe-settings')).body.data;
    return [tax_rate, reverse_charge];
  };
  return { ...company, caller, save, read, tax };
}

test('a saved VAT number is checked, and the result is stored with its consultation number', async () => {
  const { account_id, save, read, tax } = await makeCustomer();
  expect(await read()).toEqual({ is_format_valid: null, check: null });
  expect((await save('FR 12 345678901')).status).toBe(200);
  await until('the number is checked', async () => (await read()).check?.status === 'valid');
  expect((await read()).check).toMatchObject({
    vat_number: 'FR12345678901',
    consultation_number: 'WAPISANDBOXFR12345678901',
    registered_name: 'HARBOUR COFFEE',
    check_date: expect.any(String),
  });
  expect(await tax()).toEqual([0, true]);
  expect((await operator.get(`/v1/vat_checks/${account_id}`)).body.data.check.status).toBe('valid');
  const stranger = await makeCustomer();
  expect((await stranger.caller.get(`/v1/vat_checks/${account_id}`)).status).toBe(404);
});

test('no reverse charge applies to a number that is not in the register', async () => {
  const { save, read, tax } = await makeCustomer();
  await save('FR12345678000');
  await until('the number is checked', async () => (await read()).check?.status === 'invalid');
  expect(await tax()).toEqual([20, false]);
});

test('an unavailable register blocks nothing, and the format of the number decides', async () => {
  const { account_id, save, read, tax } = await makeCustomer();
  expect((await save('FR12345678999')).status).toBe(200);
  await until('the check waits', async () => (await read()).check?.status === 'waiting');
  expect(await tax()).toEqual([0, true]);
  await expect(checkVatNumber(world.kernel, account_id)).rejects.toThrow(/unavailable/);
});

test('a number with an invalid format is never sent to the register', async () => {
  const { account_id, save, read, tax } = await makeCustomer();
  await save('12345 \u{1F600}');
  await checkVatNumber(world.kernel, account_id);
  expect(await read()).toEqual({ is_format_valid: false, check: null });
  expect(await tax()).toEqual([20, false]);
  const rows = await world.kernel.db.rows(sql`select 1 from vat_checks where account_id = ${account_id}`);
  expect(rows).toEqual([]);
});
