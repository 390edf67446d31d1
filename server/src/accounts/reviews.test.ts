import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, type Tx } from '../kernel/db/db.ts';
import { mailsAbout } from '../test/mailbox.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { createWorld, type Reply, until, type World } from '../test/world.ts';
import { approveAccount, blockAccount, rejectAccount, requestMoreInfo, type Who } from './accounts.ts';

let world: World;
let operators: Company;

beforeAll(async () => {
  world = await createWorld({ settings: { TRIAL_CREDIT: '2.50' } });
  operators = await makeCompany(world.kernel, { operator: true });
});
afterAll(() => world.stop());

const PATH = '/v1/accounts/self/verifications';
const code = (reply: Reply) => reply.body.errors[0]!.code;
const form = (overrides: object = {}) => ({
  company_name: 'Harbour Bakery',
  country_code: 'GB',
  company_address: '4 Quay Street, Bristol',
  company_website: 'https://bakery.example',
  company_size: '1-50',
  industry_id: 7,
  use_case: 'Opening hours and order reminders for customers who asked for them.',
  interests: ['sms', 'campaigns'],
  monthly_volume: '1000_10000',
  ...overrides,
});
const operator = (): Who => ({
  kernel: world.kernel,
  actor: { account_id: operators.account_id, user_id: operators.user_id },
});
const as = <T>(work: (tx: Tx, who: Who) => Promise<T>) => world.kernel.db.tx((tx) => work(tx, operator()));
const newCompany = async (tags: string[] = []) => {
  const company = await makeCompany(world.kernel, { status: 'UNVERIFIED', balance_micros: 0 });
  await world.kernel.db.run(sql`update accounts set tags = ${tags} where id = ${company.account_id}`);
  return { ...company, api: world.as(company.token) };
};
const listEvents = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ type: string; payload: { id?: string } }>(sql`
      select type, payload from events where account_id = ${account_id} order by id`)
  ).map(({ type, payload }) => [type, payload]);
const subjects = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ subject: string }>(sql`
      select subject from mails where account_id = ${account_id} order by id`)
  ).map((row) => row.subject);
const readStatus = async (company: { api: ReturnType<World['as']> }) =>
  (await company.api.get('/v1/accounts/self')).body.data.status;

describe('approval', () => {
  it('starts when a form is submitted, and the company and the operators are notified', async () => {
    const company = await newCompany();
    const submitted = await company.api.post(PATH, form());
    expect(submitted.status).toBe(201);
    expect(submitted.body.data).toMatchObject({
      account_id: company.account_id,
      company_name: 'Harbour Bakery',
      status: 'OPEN',
      form: { monthly_volume: '1000_10000', vat_number: '' },
      decide_date: null,
    });
    expect((await company.api.get('/v1/accounts/self')).body.data).toMatchObject({
      status: 'FORM_SUBMITTED',
      verified: false,
      company_name: 'Harbour Bakery',
      company_address: '4 Quay Street, Bristol',
      industry_id: 7,
      interests: ['sms', 'campaigns'],
    });
    expect(await subjects(company.account_id)).toEqual(['We have received your form']);
    const expected = { id: company.account_id, status: 'FORM_SUBMITTED' };
    expect(await listEvents(company.account_id)).toContainEqual(['account.changed', expected]);
    expect(await listEvents(operators.account_id)).toContainEqual(['customer.changed', { id: company.account_id }]);
    expect(code(await company.api.post(PATH, form()))).toBe(1154);
    const [review, ...rest] = (await company.api.get(PATH)).body.data;
    expect([review, rest]).toEqual([submitted.body.data, []]);
    const stranger = await newCompany();
    expect((await stranger.api.get(PATH)).body.data).toEqual([]);
    expect(code(await stranger.api.post(PATH, form({ company_name: 'HARBOUR BAKERY' })))).toBe(1129);
    expect(await readStatus(stranger)).toBe('UNVERIFIED');
  });

  it('requires the owner’s verified phone number and plausible details', async () => {
    const company = await newCompany();
    const refusalCode = async (overrides: object) =>
      code(await company.api.post(PATH, form({ company_name: 'Unique', ...overrides })));
    expect(await refusalCode({ country_code: 'ZZ' })).toBe(1166);
    expect(await refusalCode({ company_website: 'bakery' })).toBe(1450);
    expect(await refusalCode({ use_case: 'Things' })).toBe(1705);
    await world.kernel.db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${company.user_id}`);
    expect(code(await company.api.post(PATH, form()))).toBe(1141);
    const colleague = await makeUser(world.kernel, company.account_id, { permissions: { ACCOUNTS: 15 } });
    const reply = await world.as(colleague.token).post(PATH, form({ company_name: 'Unique' }));
    expect([code(reply), reply.body.errors[0].message]).toEqual([1154, 'The owner must verify a phone number first']);
    expect(await readStatus({ api: world.as(colleague.token) })).toBe('UNVERIFIED');
  });

  it('verifies the account, grants the trial credit only once, and notifies owners and open pages', async () => {
    const company = await newCompany(['PAID0']);
    const preference = { welcome_closed: true, steps_closed: ['key'] };
    expect((await company.api.put('/v1/accounts/self/preference', preference)).status).toBe(200);
    const { id } = (await company.api.post(PATH, form({ company_name: 'Trial Co' }))).body.data;
    // Only one of many concurrent decisions succeeds.
    const decisions = await Promise.allSettled(
      Array.from({ length: 8 }, () => as((tx, who) => approveAccount(tx, who, id))),
    );
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of decisions)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ name: 'ALREADY_DECIDED' });
    expect((await company.api.get('/v1/accounts/self')).body.data).toMatchObject({
      status: 'VERIFIED',
      verified: true,
      // The welcome popup appears again, with its shortcuts enabled.
      preference: { steps_closed: ['key'] },
    });
    expect((await company.api.get('/v1/accounts/self')).body.data.preference).not.toHaveProperty('welcome_closed');
    expect((await company.api.get(PATH)).body.data[0]).toMatchObject({
      status: 'APPROVED',
      reviewer_name: 'Test Person',
    });
    expect(await subjects(company.account_id)).toEqual([
      'We have received your form',
      'Your account is approved',
      'Your free trial has started',
    ]);
    const event_types = (await listEvents(company.account_id)).map(([type]) => type);
    expect(event_types).toContain('session.changed');
    const balance = async () =>
      (await company.api.get(`/v1/balances/${company.account_id}`)).body.data.available_micros;
    await until('the credit is granted', async () => (await balance()) === 2_500_000);
    const ledger = (await company.api.get('/v1/ledger')).body.data;
    expect(ledger).toEqual([
      expect.objectContaining({ kind: 'bonus', amount_micros: 2_500_000, note: 'Trial credit' }),
    ]);
    const logged = (await company.api.get('/v1/audit_log?filter[actions]=account.approved')).body.data;
    expect(logged).toEqual([expect.objectContaining({ actor_name: 'Test Person', user_id: operators.user_id })]);
    // A second approval, after the status was reset by hand, does not grant the credit again.
    await world.kernel.db.run(sql`update accounts set status = 'UNVERIFIED' where id = ${company.account_id}`);
    const again = (await company.api.post(PATH, form({ company_name: 'Trial Co' }))).body.data.id;
    await as((tx, who) => approveAccount(tx, who, again));
    await until('the job is done', async () => {
      const { waiting } = await world.kernel.db.one<{ waiting: number }>(sql`
        select count(*) as waiting from pgboss.job where name = 'trial.credit' and state < 'completed'`);
      return waiting === 0;
    });
    expect(await balance()).toBe(2_500_000);
  });

  it('does not grant credit outside a trial', async () => {
    const company = await newCompany();
    const { id } = (await company.api.post(PATH, form({ company_name: 'Paying Co' }))).body.data;
    await as((tx, who) => approveAccount(tx, who, id));
    const { jobs } = await world.kernel.db.one<{ jobs: number }>(sql`
      select count(*) as jobs from pgboss.job where name = 'trial.credit'
      and data->>'account_id' = ${company.account_id}`);
    expect(jobs).toBe(0);
  });

  it('applies to the submitted form, which only operators can correct during the review', async () => {
    const company = await newCompany();
    const { id } = (await company.api.post(PATH, form({ company_name: 'Honest Bakery' }))).body.data;
    const SELF = '/v1/accounts/self';
    for (const change of [
      { company_name: 'YourBank Security' },
      { country_code: 'FR' },
      { company_address: 'Elsewhere 1' },
      { company_website: 'https://yourbank.example' },
      { company_size: '50-500' },
      { industry_id: 3 },
      { vat_number: 'FR1' },
      { use_case: 'Something else all day long, to everyone.' },
      { interests: ['viber'] },
    ]) {
      const [error] = (await company.api.put(SELF, change)).body.errors;
      expect([error.code, error.field]).toEqual([1136, Object.keys(change)[0]]);
    }
    // Details that are not on the form can be changed, and the request may include unchanged fields.
    const { monthly_volume: _, ...details } = form({ company_name: 'Honest Bakery' });
    const open = await company.api.put(SELF, { ...details, timezone: 'Europe/London' });
    expect(open.body.data).toMatchObject({ company_name: 'Honest Bakery', timezone: 'Europe/London' });
    const account = `/v1/accounts/${company.account_id}`;
    await world.as(operators.token).put(account, { company_name: 'Honest Bakery Ltd', country_code: 'IE' });
    expect((await company.api.get(PATH)).body.data[0].form).toMatchObject({
      company_name: 'Honest Bakery Ltd',
      country_code: 'IE',
      company_website: 'https://bakery.example',
    });
    // The form is approved as reviewed, even if the account's details were changed in the database.
    await world.kernel.db.run(sql`
      update accounts set company_name = 'YourBank Security', use_case = 'Other' where id = ${company.account_id}`);
    await as((tx, who) => approveAccount(tx, who, id));
    expect((await company.api.get(SELF)).body.data).toMatchObject({
      status: 'VERIFIED',
      company_name: 'Honest Bakery Ltd',
      country_code: 'IE',
      use_case: form().use_case,
    });
    const mail = (await mailsAbout(world.kernel, company.account_id)).find(
      ({ subject }) => subject === 'Your account is approved',
    );
    expect(mail!.text).toContain('Honest Bakery Ltd can now send messages');
  });

  it('can be denied with a reason or sent back for changes, and can then be requested again', async () => {
    const company = await newCompany();
    const first = (await company.api.post(PATH, form({ company_name: 'Back Co' }))).body.data.id;
    await expect(as((tx, who) => rejectAccount(tx, who, first, ' '))).rejects.toMatchObject({
      name: 'REASON_REQUIRED',
    });
    const reason = 'The website could not be opened or does not mention the company. It says 404.';
    await as((tx, who) => rejectAccount(tx, who, first, reason));
    expect(await readStatus(company)).toBe('UNVERIFIED');
    expect((await company.api.get(PATH)).body.data[0]).toMatchObject({ status: 'REJECTED', reason });
    const mail = (await mailsAbout(world.kernel, company.account_id)).find(
      ({ subject }) => subject === 'Your account could not be approved',
    );
    expect(mail!.text).toContain(reason);
    await expect(as((tx, who) => approveAccount(tx, who, first))).rejects.toMatchObject({ name: 'ALREADY_DECIDED' });

    const second = (await company.api.post(PATH, form({ company_name: 'Back Co' }))).body.data.id;
    await as((tx, who) => requestMoreInfo(tx, who, second, 'Who are your customers?'));
    expect(await readStatus(company)).toBe('UNVERIFIED');
    const reviews = (await company.api.get(PATH)).body.data;
    expect(reviews.map((attempt: { status: string }) => attempt.status)).toEqual(['INFO_NEEDED', 'REJECTED']);
    expect(await subjects(company.account_id)).toContain('We need more information about your company');
    const unknown = '0192f0c0-0000-7000-8000-000000000000';
    await expect(as((tx, who) => approveAccount(tx, who, unknown))).rejects.toMatchObject({
      name: 'REQUEST_NOT_FOUND',
    });
  });

  it('waits while the account is blocked and continues once it is unblocked', async () => {
    const company = await newCompany();
    const { id } = (await company.api.post(PATH, form({ company_name: 'Held Co' }))).body.data;
    await as((tx, who) => blockAccount(tx, who, company.account_id, true, 'Suspicious activity'));
    await expect(as((tx, who) => approveAccount(tx, who, id))).rejects.toMatchObject({ name: 'ALREADY_DECIDED' });
    await as((tx, who) => blockAccount(tx, who, company.account_id, false, 'Was fine'));
    expect(await readStatus(company)).toBe('FORM_SUBMITTED');
    await as((tx, who) => approveAccount(tx, who, id));
    expect(await readStatus(company)).toBe('VERIFIED');
  });

  it('all invariants hold after these tests', async () => {
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });
});
