import { cannedReasons } from '@parley/contract/admin/request_reasons.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import { mailsAbout } from '../../test/mailbox.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { companyForm, makeApplicant, makeReview } from '../../test/review.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import {
  alphabetFinding,
  findWebsiteProblems,
  mailFinding,
  nameFindings,
  phoneFinding,
  sameDomain,
  similarity,
} from './findings.ts';

let world: World;
let operators: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  api = world.as(operators.token);
});
afterAll(() => world?.stop());

const codes = ({ body }: Reply): number[] => body.errors.map(({ code }: { code: number }) => code);
const waiting = (company_name: string, change?: object, minutes_ago?: number) =>
  makeApplicant(world.kernel, company_name, change, minutes_ago);
const account = (id: string) =>
  world.kernel.db.one<{ status: string }>(sql`select status from accounts where id = ${id}`).then((row) => row.status);
const mails = (account_id: string) => mailsAbout(world.kernel, account_id);

describe('a decision', () => {
  let company: Company & { id: string };
  let number = 0;
  beforeEach(async () => {
    company = await waiting(`Deciding ${number++}`);
  });
  const decide = (body: object) => api.put(`/v1/requests/${company.id}`, body);

  test('verifies the account, emails the customer, and is logged when it is an approval', async () => {
    const { status, body } = await decide({ decision: 'approve' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'approved', reviewer_name: 'Test Person' });
    expect(await account(company.account_id)).toBe('VERIFIED');
    expect((await mails(company.account_id)).map(({ subject }) => subject)).toEqual(['Your account is approved']);
    const { body: history } = await api.get(`/v1/accounts/${company.account_id}/audit_log`);
    expect(history.data).toMatchObject([{ action: 'account.approved', user_id: operators.user_id }]);
    const second = await decide({ decision: 'reject', note: 'No.' });
    expect(second.body.errors).toMatchObject([{ code: 1156, message: 'Test Person already approved this request' }]);
  });

  test('reopens the form with the reasons and the note when it rejects or requests more information', async () => {
    const { body } = await decide({
      decision: 'reject',
      reasons: cannedReasons('company')
        .filter(({ key }) => key === 'details_do_not_match')
        .map(({ field, text }) => ({ field, text })),
      note: 'The address is a parking lot.',
    });
    expect(body.data.words).toBe(
      'The details do not match each other or the attached documents. The address is a parking lot.',
    );
    expect(await account(company.account_id)).toBe('UNVERIFIED');
    expect((await mails(company.account_id))[0]!.text).toContain('The address is a parking lot.');
    company = await waiting('Question first');
    expect((await decide({ decision: 'ask', note: 'Please send the register entry.' })).body.data).toMatchObject({
      status: 'asked',
      words: 'Please send the register entry.',
    });
    expect(await account(company.account_id)).toBe('UNVERIFIED');
  });

  test.each([
    ['no reason', { decision: 'reject' }],
    ['a blank note', { decision: 'reject', note: '   ' }],
    ['a question without text', { decision: 'ask' }],
  ])('is rejected with %s and changes nothing', async (_, body) => {
    const reply = await decide(body);
    expect([reply.status, ...codes(reply)]).toEqual([400, 1157]);
    expect(await account(company.account_id)).toBe('FORM_SUBMITTED');
    expect(await mails(company.account_id)).toEqual([]);
  });

  test('is made by only one of 32 concurrent requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        decide(index % 2 ? { decision: 'approve' } : { decision: 'reject', note: 'Not here.' }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.filter(({ status }) => status !== 200).flatMap(codes))).toEqual(new Set([1156]));
    expect(await mails(company.account_id)).toHaveLength(1);
  });

  test('fails when the request is unknown', async () => {
    expect(codes(await api.get(`/v1/requests/${newId()}`))).toEqual([1477]);
    expect(codes(await api.put(`/v1/requests/${newId()}`, { decision: 'approve' }))).toEqual([1477]);
  });
});

describe('findings', () => {
  const readFindings = async (id: string) =>
    (await api.get(`/v1/requests/${id}`)).body.data.findings.map(
      ({ level, text }: { level: string; text: string }) => `${level}: ${text}`,
    ) as string[];

  test('report whether a website responds, without calling a private address', async () => {
    const { port } = new URL(world.url);
    const reachable = await waiting('Website Up', { company_website: `http://127.0.0.1:${port}/livez` });
    expect(await readFindings(reachable.id)).toContain('good: The website can be reached');
    const missing = await waiting('Website Gone', { company_website: `http://127.0.0.1:${port}/v1/nothing-here` });
    expect(await readFindings(missing.id)).toContain('warning: The website responds with status 404');
    const unreachable = await waiting('Website Down', { company_website: 'http://127.0.0.1:9/' });
    expect(await readFindings(unreachable.id)).toContain(
      'warning: The website cannot be reached: the connection failed',
    );
    const guarded = createOutbound({ OUTBOUND_ALLOW_CIDRS: [], OUTBOUND_PORTS: [Number(port)] });
    expect(await findWebsiteProblems(guarded, `http://127.0.0.1:${port}/livez`, 'a@gmail.com')).toEqual([
      { level: 'warning', text: 'The website cannot be reached: the URL points to a private network' },
    ]);
    expect(await findWebsiteProblems(guarded, 'http://a.b:99999', 'a@gmail.com')).toMatchObject([{ level: 'warning' }]);
  });

  test('include the account, earlier requests, and another account’s similar name', async () => {
    await waiting('Harbour Lights Trading Ltd');
    const company = await waiting('Harbor Lights Trading');
    await makeReview(world.kernel, company, companyForm('Harbor Lights Trading'), { status: 'REJECTED' });
    const { body } = await api.get(`/v1/requests/${company.id}`);
    expect(body.data.company.customer).toMatchObject({
      id: company.account_id,
      company_name: 'Harbor Lights Trading',
      status: 'FORM_SUBMITTED',
    });
    expect(body.data.others).toMatchObject([{ kind: 'company', status: 'rejected', words: 'No' }]);
    expect(await readFindings(company.id)).toEqual([
      'warning: The owner has no phone number yet',
      'good: The owner’s email address is at test.localhost, which is not a free email provider',
      'warning: The company did not provide a website',
      'warning: Another account has the name Harbour Lights Trading Ltd',
      'warning: An earlier request of this kind was rejected',
    ]);
  });

  test.each([
    ['Harbour Coffee Ltd', 'HARBOUR COFFEE GmbH', 1],
    ['Harbour Coffee', 'Harbor Coffee', 0.8],
  ])('treat the names %s and %s as similar', (name, other, minimum) =>
    expect(similarity(name, other)).toBeGreaterThanOrEqual(minimum),
  );
  test.each([
    ['Harbour Coffee', 'Harbour Fish'],
    ['Ltd', 'GmbH'],
    ['', ''],
  ])('treat the names %s and %s as different', (name, other) => expect(similarity(name, other)).toBeLessThan(0.8));

  test('compare domains, phone numbers, email addresses, and look-alike names', () => {
    expect(sameDomain('www.shop.example', 'shop.example')).toBe(true);
    expect(sameDomain('eu.shop.example', 'shop.example')).toBe(true);
    expect(sameDomain('myshop.example', 'shop.example')).toBe(false);
    expect(phoneFinding('447400123456', 'GB').level).toBe('good');
    expect(phoneFinding('447400123456', 'DE').text).toBe(
      'The owner’s phone number is from United Kingdom, but the company is in Germany',
    );
    expect(mailFinding('ann@GMAIL.com').level).toBe('warning');
    expect(nameFindings('A', [])).toEqual([{ level: 'good', text: 'No other account has a similar name' }]);
    // The letters а and о are Cyrillic.
    const disguised = 'H\u0430rb\u043eur Coffee';
    expect(nameFindings(disguised, [{ company_name: 'Harbour Coffee Ltd', blocked: false }])).toEqual([
      { level: 'warning', text: 'Another account has the name Harbour Coffee Ltd' },
    ]);
    expect(alphabetFinding(disguised)).toEqual([
      {
        level: 'warning',
        text: 'The word H\u0430rb\u043eur in the name mixes letters from two alphabets',
      },
    ]);
    for (const name of ['Harbour Coffee', 'Кофейня Гавань', 'Кофе Harbour', 'Ωmega & Söhne'])
      expect(alphabetFinding(name).length, name).toBe(name.startsWith('Ω') ? 1 : 0);
  });
});
