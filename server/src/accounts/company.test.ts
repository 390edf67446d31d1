import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../auth/auth.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCompany, makeKey, makeUser } from '../test/make.ts';
import { createWorld, type Reply, type World } from '../test/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const SELF = '/v1/accounts/self';
const code = (reply: Reply) => reply.body.errors[0]!.code;
const newCompany = async (options: Parameters<typeof makeCompany>[1] = {}) => {
  const company = await makeCompany(world.kernel, options);
  return { ...company, api: world.as(company.token) };
};

describe('the company', () => {
  it('can be changed, which notifies open pages and operators and logs the old values', async () => {
    const operators = await makeCompany(world.kernel, { operator: true });
    const { api, account_id } = await newCompany({ status: 'UNVERIFIED' });
    const before = (await api.get(SELF)).body.data;
    const change = {
      company_name: 'Lantern Works',
      country_code: 'de',
      timezone: 'europe/berlin',
      company_size: '50-500',
      interests: ['sms', 'api'],
      invoice_emails: ['bills@lantern.localhost'],
    };
    const { body } = await api.put(SELF, change);
    const after = { ...change, country_code: 'DE', timezone: 'Europe/Berlin' };
    expect(body.data).toMatchObject(after);
    // The response includes the whole account and the caller, as GET does.
    expect(body.data).toEqual((await api.get(SELF)).body.data);
    expect(body.data).toMatchObject({ role: 'owner', sender_free: true, test_sms: false });
    // Omitted fields stay unchanged.
    expect(body.data).toMatchObject({ company_address: before.company_address, currency: 'USD', use_case: '' });
    const { detail } = (await api.get('/v1/audit_log')).body.data[0];
    expect(detail.company_name).toEqual({ from: before.company_name, to: 'Lantern Works' });
    expect(Object.keys(detail).sort()).toEqual(Object.keys(change).sort());
    const events = await world.kernel.db.rows<{ account_id: string; type: string }>(sql`
      select account_id, type from events where type in ('account.changed', 'customer.changed') order by id`);
    expect(events).toEqual([
      { account_id, type: 'account.changed' },
      { account_id: operators.account_id, type: 'customer.changed' },
    ]);
    // Saving the same values again changes nothing.
    await api.put(SELF, after);
    expect((await api.get('/v1/audit_log')).body.pagination.total).toBe(1);
    const preferred = await api.put(`${SELF}/preference`, {});
    expect(preferred.body.data).toEqual((await api.get(SELF)).body.data);
  });

  it('must have a unique name and a valid country, time zone, and website', async () => {
    const { api } = await newCompany({ status: 'UNVERIFIED' });
    const refusalFor = async (change: object) => {
      const { body } = await api.put(SELF, change);
      return [body.errors[0].code, body.errors[0].field];
    };
    await (await newCompany({ status: 'UNVERIFIED' })).api.put(SELF, { company_name: 'Taken Ltd' });
    expect(await refusalFor({ company_name: 'taken LTD' })).toEqual([1129, 'company_name']);
    expect(await refusalFor({ company_name: 'x' })).toEqual([1705, 'company_name']);
    for (const country_code of ['ZZ', 'XX', 'EU', 'GBR', ''])
      expect(await refusalFor({ country_code })).toEqual([1166, 'country_code']);
    for (const timezone of ['Mars/Base', '+02:00', 'Berlin', ' '])
      expect(await refusalFor({ timezone })).toEqual([1162, 'timezone']);
    expect(await refusalFor({ invoice_emails: ['no-address'] })).toEqual([1113, 'invoice_emails.0']);
    for (const company_website of ['javascript:alert(1)', 'data:text/html,x', 'lantern', 'ftp://lantern.example'])
      expect(await refusalFor({ company_website })).toEqual([1450, 'company_website']);
    const reply = await api.put(SELF, { invoice_emails: ['a@b.example', 'A@B.example', 'c@b.example', 'a@b.example'] });
    expect(reply.body.data.invoice_emails).toEqual(['a@b.example', 'c@b.example']);
    expect(await refusalFor({ interests: ['nonsense'] })).toEqual([1705, 'interests.0']);
    expect((await api.put(SELF, { timezone: 'Asia/Kolkata', country_code: 'IN' })).status).toBe(200);
  });

  it('cannot change its name or country once it is verified', async () => {
    const { api } = await newCompany();
    const { company_name, country_code } = (await api.get(SELF)).body.data;
    for (const change of [{ company_name: 'Another' }, { country_code: 'FR' }]) {
      const reply = await api.put(SELF, change);
      expect([code(reply), reply.body.errors[0].message]).toEqual([
        1136,
        'Only support can change the name and country of a verified company',
      ]);
      expect(reply.body.errors[0].field).toBe(Object.keys(change)[0]);
    }
    // A form sends all of its fields, including unchanged ones.
    const reply = await api.put(SELF, { company_name, country_code, vat_number: 'GB123' });
    expect(reply.body.data).toMatchObject({ company_name, country_code, vat_number: 'GB123' });
  });

  it('lets only the owner decide whether two-factor authentication is required', async () => {
    const { api, account_id } = await newCompany();
    const admin = await makeUser(world.kernel, account_id, { permissions: { ACCOUNTS: 15 } });
    const key = await makeKey(world.kernel, account_id);
    for (const who of [world.as(admin.token), world.as({ key })])
      expect(code(await who.put(SELF, { second_factor_required: true }))).toBe(1136);
    expect((await api.put(SELF, { second_factor_required: true })).body.data.second_factor_required).toBe(true);
    expect(code(await world.as(admin.token).put(SELF, { vat_number: '1' }))).toBe(1144);
    expect((await world.as(admin.token).get('/v1/users/self')).body.data.pending).toBe('second_factor');
    const payloads = await world.kernel.db.rows<{ payload: unknown }>(sql`
      select payload from events where account_id = ${account_id} and type = 'session.changed'`);
    expect(payloads).toEqual([{ payload: { user_id: null } }]);
    const logged = await world.kernel.db.rows<{ action: string }>(sql`
      select action from audit_log where account_id = ${account_id} order by number`);
    expect(logged).toEqual([{ action: 'account.second_factor_required' }]);
  });

  it('requires the owner to re-authenticate before making two-factor authentication optional', async () => {
    const { api, account_id, user_id } = await newCompany();
    const { db } = world.kernel;
    await db.run(
      sql`update logins set password_hash = ${await hashPassword('Tangled-teapot-7')} where id = ${user_id}`,
    );
    await db.run(sql`update sessions set second_factor = true where user_id = ${user_id}`);
    await db.run(sql`update accounts set second_factor_required = true where id = ${account_id}`);
    const disable2fa = (proof: object) => api.put(SELF, { second_factor_required: false, vat_number: 'GB1', ...proof });
    expect(code(await disable2fa({}))).toBe(1126);
    expect(code(await disable2fa({ current_password: 'Wrong-teapot-7' }))).toBe(1126);
    const { data } = (await api.get(SELF)).body;
    expect(data).toMatchObject({ second_factor_required: true, vat_number: '' });
    expect((await disable2fa({ current_password: 'Tangled-teapot-7' })).body.data).toMatchObject({
      second_factor_required: false,
      vat_number: 'GB1',
    });
    const logged = await db.rows<{ text: string }>(sql`
      select action || detail::text as text from audit_log where account_id = ${account_id}`);
    expect(logged.some(({ text }) => text.startsWith('account.second_factor_optional'))).toBe(true);
    // The log does not list the credentials as changed fields.
    expect(logged.filter(({ text }) => text.includes('password'))).toEqual([]);
  });

  it('merges product preferences from users who can edit the account', async () => {
    const { account_id } = await newCompany();
    const viewer = world.as((await makeUser(world.kernel, account_id, { permissions: { ACCOUNTS: 1 } })).token);
    expect(code(await viewer.put(`${SELF}/preference`, { welcome_closed: true }))).toBe(1136);
    const user = world.as((await makeUser(world.kernel, account_id, { permissions: { ACCOUNTS: 5 } })).token);
    const remember = async (preference: object) =>
      (await user.put(`${SELF}/preference`, preference)).body.data?.preference;
    await remember({ onboarding: { industry_id: 4 }, steps_closed: ['keys'], insights: { days: 30 } });
    const after = await remember({
      onboarding: { region: 'gb', use_cases: ['flash_sale', 'results'] },
      insights: { by: 'sender' },
      templates: { channel: 'VIBER', total: 9 },
      welcome_closed: true,
      steps_closed: [],
    });
    expect(after).toEqual({
      onboarding: { industry_id: 4, region: 'gb', use_cases: ['flash_sale', 'results'], total: 4 },
      steps_closed: [],
      insights: { days: 30, by: 'sender', total: 2 },
      templates: { channel: 'VIBER', total: 1 },
      welcome_closed: true,
    });
    // Clients may send back the data that they received.
    expect(await remember(after)).toEqual(after);
    for (const invalid of [
      { insights: { days: 31 } },
      { insights: { by: 'weather' } },
      { insights: { columns: ['a'] } },
      { templates: { channel: 'FAX' } },
      { onboarding: { industry_id: 38 } },
      { onboarding: { region: 'xx' } },
      { onboarding: { use_cases: ['x'.repeat(81)] } },
    ])
      expect([invalid, code(await user.put(`${SELF}/preference`, invalid))]).toEqual([invalid, 1705]);
    // Earlier versions stored any options.
    await world.kernel.db.run(sql`
      update accounts set preference = '{"insights": {"days": 90, "columns": ["a"], "by": "weather"}}'
      where id = ${account_id}`);
    expect((await user.get(SELF)).body.data.preference.insights).toEqual({ days: 90, total: 1 });
    await remember({ welcome_closed: true });
    expect(code(await user.put(`${SELF}/preference`, { nonsense: 1 }))).toBe(1705);
    expect((await user.get(SELF)).body.data.preference.welcome_closed).toBe(true);
  });
});
