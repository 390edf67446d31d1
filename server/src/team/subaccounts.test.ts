import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  blockAccount,
  findAllowedRecipient,
  findSendingAccount,
  requireSending,
  type Who,
} from '../accounts/accounts.ts';
import { credit } from '../billing/billing.ts';
import { sql } from '../kernel/db/db.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let operators: Company;
let owner: Caller;
let id: string;
let owner_user_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  operators = await makeCompany(world.kernel, { operator: true });
  owner = world.as(company.token);
  // An owner without a password can close sub-accounts without credentials. Re-authentication is tested in
  // auth/factors/reauthentication.test.ts.
  await world.kernel.db.run(sql`update logins set password_hash = null where id = ${company.user_id}`);
});
afterAll(() => world.stop());

const PATH = '/v1/accounts/self/subaccounts';
const code = (reply: Reply) => reply.body.errors[0]!.code;
const NORTH = {
  company_name: 'North Branch',
  country_code: 'DE',
  timezone: 'Europe/Berlin',
  email: 'north@sub.localhost',
  first_name: 'Nora',
  last_name: 'North',
};
const operator = (): Who => ({
  kernel: world.kernel,
  actor: { account_id: operators.account_id, user_id: operators.user_id },
});
const readStatus = async (account_id: string) =>
  (await world.kernel.db.one<{ status: string }>(sql`select status from accounts where id = ${account_id}`)).status;

describe('a sub-account', () => {
  it('is created with the parent’s currency and status, and its owner is invited', async () => {
    const created = await owner.post(PATH, NORTH);
    expect(created.status).toBe(201);
    ({ id, owner_user_id } = created.body.data);
    expect(created.body.data).toMatchObject({
      company_name: 'North Branch',
      country_code: 'DE',
      currency: 'USD',
      timezone: 'Europe/Berlin',
      status: 'VERIFIED',
      owner_email: 'north@sub.localhost',
      owner_name: 'Nora North',
      users_count: 1,
    });
    const [mail] = await mailsTo(world.kernel, 'north@sub.localhost');
    expect(mail!.text).toContain('made you its owner');
    // The parent can enter the sub-account before the invitation is accepted.
    const session = await owner.get(`/v1/users/${owner_user_id}/token`);
    const subCaller = world.as(session.body.data.access_token);
    expect((await subCaller.get('/v1/users/self')).body.data).toMatchObject({
      id: owner_user_id,
      status: 'NEW',
      pending: null,
      impersonation: { kind: 'parent', operator_name: 'Test Person' },
    });
    expect((await subCaller.get('/v1/audiences')).status).toBe(200);
    const token = /token=([\w-]{43})/.exec(mail!.text)![1];
    const reply = await world.as().post('/v1/users/self/invitations', { token, password: 'Quartz-lantern-42' });
    const nora = world.as(reply.body.data.access_token);
    expect((await nora.get('/v1/accounts/self')).body.data).toMatchObject({
      id,
      account_type: 'SUB_ACCOUNT',
      parent_id: company.account_id,
      verified: true,
      trial: false,
    });
    // An invited owner must also verify a phone number.
    expect((await nora.get('/v1/users/self')).body.data).toMatchObject({
      id: owner_user_id,
      is_owner: true,
      pending: 'phone',
    });
    expect((await owner.get('/v1/audit_log?filter[actions]=sub_account.created')).body.data[0]).toMatchObject({
      target_id: id,
      target_name: 'North Branch',
    });
  });

  it('has an owner whose invitation the parent can resend but not revoke', async () => {
    const created = await owner.post(PATH, { ...NORTH, company_name: 'East', email: 'east@sub.localhost' });
    const listed = await owner.get('/v1/accounts/self/invitations?filter[search]=east@');
    expect(listed.body.data).toEqual([
      expect.objectContaining({
        account_id: created.body.data.id,
        company_name: 'East',
        invited_by_name: 'Test Person',
      }),
    ]);
    const [{ id: invitation }] = listed.body.data;
    await world.kernel.db.run(sql`
      update invitations set send_date = now() - interval '8 days', expire_date = now() - interval '1 day'
      where id = ${invitation}`);
    const again = await owner.post(`/v1/accounts/self/invitations/${invitation}/sends`, {});
    expect(again.body.data).toMatchObject({ id: invitation, status: 'PENDING', sends: 2 });
    expect(code(await owner.delete(`/v1/accounts/self/invitations/${invitation}`))).toBe(1132);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(code(await stranger.post(`/v1/accounts/self/invitations/${invitation}/sends`, {}))).toBe(1131);
    expect((await owner.delete(`${PATH}/${created.body.data.id}`)).status).toBe(204);
  });

  it('is listed only for its parent, which can search by name and email address', async () => {
    const names = async (who: Caller, search = '') =>
      (await who.get(`${PATH}?filter[search]=${search}`)).body.data.map((row: { id: string }) => row.id);
    expect(await names(owner)).toEqual([id]);
    expect(await names(owner, 'north')).toEqual([id]);
    expect(await names(owner, 'north@sub')).toEqual([id]);
    expect(await names(owner, 'south')).toEqual([]);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(await names(stranger)).toEqual([]);
    expect(code(await stranger.put(`${PATH}/${id}`, { blocked: true }))).toBe(1153);
    expect(code(await stranger.delete(`${PATH}/${id}`))).toBe(1153);
  });

  it('shares its parent’s trial, including the remaining days and restrictions', async () => {
    const { kernel } = world;
    const trialCompany = await makeCompany(kernel, { country: 'US' });
    const days = (count: number) =>
      kernel.db.run(sql`
        update accounts set tags = '{PAID0}', create_date = now() - make_interval(days => ${count})
        where id = ${trialCompany.account_id}`);
    await days(10);
    await kernel.db.run(sql`update logins set phone_number = '12025550123' where id = ${trialCompany.user_id}`);
    const parent = world.as(trialCompany.token);
    const created = await parent.post(PATH, { ...NORTH, company_name: 'Sunset Ltd', email: 'out@sub.localhost' });
    const session = await parent.get(`/v1/users/${created.body.data.owner_user_id}/token`);
    const subCaller = world.as(session.body.data.access_token);
    const account = async () => (await subCaller.get('/v1/accounts/self')).body.data;
    expect(await account()).toMatchObject({
      country_code: 'DE',
      trial: true,
      days_left: 20,
      trial_period_expired: false,
      is_restricted_onboarding: true,
    });
    const sending = await findSendingAccount(kernel.db, created.body.data.id);
    expect(await findAllowedRecipient(kernel.db, sending!, null)).toBe('');
    expect((await subCaller.post('/v1/audiences', { name: 'While it lasts', channel: 'SMS' })).status).toBe(201);
    await days(40);
    expect(await account()).toMatchObject({ trial: true, days_left: 0, trial_period_expired: true });
    expect(code(await subCaller.post('/v1/audiences', { name: 'Too late', channel: 'SMS' }))).toBe(1142);
    await expect(requireSending(kernel.db, created.body.data.id)).rejects.toMatchObject({ name: 'TRIAL_ENDED' });
    await kernel.db.run(sql`update accounts set tags = '{}' where id = ${trialCompany.account_id}`);
    expect(await account()).toMatchObject({ trial: false, days_left: null, is_restricted_onboarding: false });
    expect((await subCaller.post('/v1/audiences', { name: 'Paid for', channel: 'SMS' })).status).toBe(201);
  });

  it('cannot have its own sub-accounts', async () => {
    const subUser = await makeUser(world.kernel, id, { permissions: { ACCOUNTS: 15 } });
    const as = world.as(subUser.token);
    expect(code(await as.get(PATH))).toBe(1136);
    expect(code(await as.post(PATH, { ...NORTH, company_name: 'Deeper', email: 'deeper@sub.localhost' }))).toBe(1136);
  });

  it('is not changed at all when any part of the change is invalid', async () => {
    const updateSubaccount = (body: object) => owner.put(`${PATH}/${id}`, body);
    expect((await updateSubaccount({ company_name: 'North', timezone: 'europe/paris' })).body.data).toMatchObject({
      company_name: 'North',
      timezone: 'Europe/Paris',
      country_code: 'DE',
    });
    expect(code(await updateSubaccount({ company_name: 'Other', timezone: 'Mars/Base' }))).toBe(1162);
    expect(code(await updateSubaccount({ country_code: 'ZZ' }))).toBe(1166);
    await owner.post(PATH, { ...NORTH, company_name: 'South', email: 'south@sub.localhost' });
    expect(code(await updateSubaccount({ company_name: 'SOUTH' }))).toBe(1129);
    expect(code(await owner.post(PATH, { ...NORTH, company_name: 'south', email: 'x@sub.localhost' }))).toBe(1129);
    expect((await owner.get(`${PATH}?filter[search]=North`)).body.data[0].company_name).toBe('North');
  });

  it('is blocked by its parent, which can remove only its own block', async () => {
    const subUser = await makeUser(world.kernel, id);
    expect((await owner.put(`${PATH}/${id}`, { blocked: true })).body.data.status).toBe('BLOCKED');
    expect(code(await world.as(subUser.token).get('/v1/users/self'))).toBe(1135);
    expect((await owner.put(`${PATH}/${id}`, { blocked: false })).body.data.status).toBe('VERIFIED');
    expect((await world.as(subUser.token).get('/v1/users/self')).status).toBe(200);
    await world.kernel.db.tx((tx) => blockAccount(tx, operator(), id, true, 'Spam'));
    expect(code(await owner.put(`${PATH}/${id}`, { blocked: false }))).toBe(1136);
    await world.kernel.db.tx((tx) => blockAccount(tx, operator(), id, false, 'Cleared'));
    expect(await readStatus(id)).toBe('VERIFIED');
  });

  it('is blocked and restored together with its parent', async () => {
    const subUser = await makeUser(world.kernel, id);
    const south = (await owner.get(`${PATH}?filter[search]=South`)).body.data[0].id;
    await owner.put(`${PATH}/${south}`, { blocked: true });
    await world.kernel.db.tx((tx) => blockAccount(tx, operator(), company.account_id, true, 'Unpaid'));
    expect([await readStatus(company.account_id), await readStatus(id), await readStatus(south)]).toEqual([
      'BLOCKED',
      'BLOCKED',
      'BLOCKED',
    ]);
    expect(code(await world.as(subUser.token).get('/v1/users/self'))).toBe(1135);
    // The sub-account cannot be unblocked while the parent is blocked.
    await expect(world.kernel.db.tx((tx) => blockAccount(tx, operator(), id, false, ''))).rejects.toMatchObject({
      name: 'OWNER_CHANGE_NOT_ALLOWED',
    });
    await world.kernel.db.tx((tx) => blockAccount(tx, operator(), company.account_id, false, 'Paid'));
    expect([await readStatus(company.account_id), await readStatus(id), await readStatus(south)]).toEqual([
      'VERIFIED',
      'VERIFIED',
      'BLOCKED',
    ]);
    await owner.put(`${PATH}/${south}`, { blocked: false });
  });

  it('can be closed only when it has no balance', async () => {
    const subUser = await makeUser(world.kernel, id);
    await world.kernel.db.tx((tx) =>
      credit(tx, { account_id: id, amount_micros: 1_000_000, kind: 'top_up', key: 'one' }),
    );
    expect(code(await owner.delete(`${PATH}/${id}`))).toBe(1163);
    const south = (await owner.get(`${PATH}?filter[search]=South`)).body.data[0].id;
    expect((await owner.delete(`${PATH}/${south}`)).status).toBe(204);
    expect((await owner.get(PATH)).body.data.map((row: { id: string }) => row.id)).toEqual([id]);
    expect(code(await owner.delete(`${PATH}/${south}`))).toBe(1153);
    expect((await world.as(subUser.token).get('/v1/users/self')).status).toBe(200);
    // The sub-account's name can be used again.
    expect((await owner.post(PATH, { ...NORTH, company_name: 'South', email: 'south@sub.localhost' })).status).toBe(
      201,
    );
  });

  it('requires a verified parent', async () => {
    const unverified = await makeCompany(world.kernel, { status: 'UNVERIFIED' });
    expect(code(await world.as(unverified.token).post(PATH, { ...NORTH, email: 'f@sub.localhost' }))).toBe(1524);
  });

  it('all invariants hold after these tests', async () => {
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });
});
