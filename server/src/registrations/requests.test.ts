import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCarrier, makeCompany, makeUser } from '../test/make.ts';
import { attachTo, FORM, fillForm, makeNumber, PDF } from '../test/senders.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let operator: Company;
let desk: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  operator = await makeCompany(world.kernel, { operator: true });
  desk = world.as(operator.token);
});
afterAll(async () => {
  await world.stop();
});

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const order = async (data: object, caller = owner) => {
  const { status, body, text } = await caller.post('/v1/senders', data);
  if (status !== 201) throw new Error(text);
  return body.data as { id: string; name: string; status: string };
};
const submit = (id: string, caller = owner) => caller.post(`/v1/senders/${id}/requests`, {});
const detail = async (id: string, caller = owner) => (await caller.get(`/v1/senders/${id}`)).body.data;
const waiting = async (sender_id: string) =>
  (await desk.get('/v1/requests?page_size=100&filter[statuses]=waiting')).body.data.find(
    (request: { target_id: string }) => request.target_id === sender_id,
  );
const decide = (request: { id: string }, body: object) => desk.put(`/v1/requests/${request.id}`, body);
const subjects = async ({ user_id }: Company) =>
  (await mailsTo(world.kernel, `${user_id}@test.localhost`)).map(({ subject }) => subject);
const acts = async () =>
  (
    await world.kernel.db.rows<{ action: string }>(
      sql`select action from audit_log where account_id = ${company.account_id} order by number`,
    )
  )
    .map(({ action }) => action)
    // Saved forms are covered by form.test.ts.
    .filter((action) => action !== 'sender.form_saved');

test('an unnamed sender ID is named after its code, even when the code changes', async () => {
  const api = world.as((await makeCompany(world.kernel)).token);
  const creation = await order({ type: 'alphanumeric', code: 'RoastPro', countries: ['DE'] }, api);
  const named = await order({ type: 'alphanumeric', code: 'RoastBar', name: 'The bar', countries: ['DE'] }, api);
  for (const { id } of [creation, named])
    expect((await api.put(`/v1/senders/${id}`, { code: `R${id.slice(-8)}` })).status).toBe(200);
  expect((await detail(creation.id, api)).name).toBe(`R${creation.id.slice(-8)}`);
  expect((await detail(named.id, api)).name).toBe('The bar');
});

test('a sender ID is requested, rejected, corrected, returned with a question, approved, and used', async () => {
  const { id, status } = await order({ type: 'alphanumeric', code: 'Harbour', countries: ['DE', 'GB'] });
  expect(status).toBe('unregistered');
  // An incomplete form is rejected, and every missing field is named.
  const bare = await submit(id);
  expect(bare.body.errors.map(({ code, field }: { code: number; field: string }) => [code, field])).toEqual([
    [1476, 'company'],
    [1476, 'sms_campaign'],
    [1476, 'example_messages'],
  ]);
  await fillForm(owner, id, 'sender_id');
  expect((await submit(id)).body.data).toMatchObject({ status: 'pending', request_status: 'IN_PROCESS' });
  // During a review the form is locked and cannot be submitted again.
  expect(code(await submit(id))).toBe(1472);
  expect(code(await owner.put(`/v1/senders/${id}/company`, FORM.company))).toBe(1472);
  expect(code(await owner.put(`/v1/senders/${id}`, { code: 'Harbour2' }))).toBe(1472);
  expect((await owner.put(`/v1/senders/${id}`, { name: 'Our name', brand: 'Harbour' })).status).toBe(200);
  expect(
    code(await owner.post('/v1/messages', { from: 'Harbour', to: ['447410000001'], channel: 'SMS', text: 'x' })),
  ).toBe(1504);

  const first = await waiting(id);
  expect(first).toMatchObject({
    company_name: expect.stringMatching(/^Company/),
    kind: 'sender_id',
    name: 'Harbour',
    status: 'waiting',
  });
  const request = (await desk.get(`/v1/requests/${first.id}`)).body.data;
  expect(request.sender.form.company.business_name).toBe('Harbour Coffee Ltd');
  expect(request.findings).toMatchObject([{ level: 'warning', text: expect.stringMatching(/^The website could not/) }]);
  expect(code(await decide(first, { decision: 'reject' }))).toBe(1157);
  const reasons = [{ field: 'example_messages.messages', text: 'The examples do not name the company.' }];
  expect((await decide(first, { decision: 'reject', reasons, note: 'See the guide.' })).body.data).toMatchObject({
    status: 'rejected',
    words: 'The examples do not name the company. See the guide.',
    reviewer_name: 'Test Person',
  });
  expect(code(await decide(first, { decision: 'approve' }))).toBe(1156);
  expect(await detail(id)).toMatchObject({
    status: 'rejected',
    request_status: 'CANCELED',
    reasons,
    note: 'See the guide.',
    editable: true,
    expected_date: null,
  });

  const messages = [...FORM.example_messages.messages.slice(0, 1), 'Harbour: your beans are roasted and leave today.'];
  expect((await owner.put(`/v1/senders/${id}/example_messages`, { messages })).status).toBe(200);
  expect((await submit(id)).status).toBe(201);
  const second = await waiting(id);
  expect(second.id).not.toBe(first.id);
  expect((await decide(second, { decision: 'ask', note: 'Who owns the brand?' })).body.data).toMatchObject({
    status: 'asked',
  });
  expect(await waiting(id)).toBeUndefined();
  expect(await detail(id)).toMatchObject({
    status: 'pending',
    asked: true,
    note: 'Who owns the brand?',
    editable: true,
  });
  expect(
    (await owner.put(`/v1/senders/${id}/company`, { ...FORM.company, business_description: 'Harbour is our brand' }))
      .status,
  ).toBe(200);
  expect((await submit(id)).status).toBe(201);
  // Resubmitting keeps the same request.
  expect((await waiting(id)).id).toBe(second.id);
  const replies = await Promise.all(Array.from({ length: 32 }, () => decide(second, { decision: 'approve' })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter((reply) => code(reply) === 1156)).toHaveLength(31);

  const approved = await detail(id);
  expect(approved).toMatchObject({ status: 'approved', request_status: 'COMPLETED', editable: false, reasons: [] });
  expect(approved.timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
    'created',
    'submitted',
    'rejected',
    'resubmitted',
    'asked',
    'resubmitted',
    'approved',
  ]);
  expect(await subjects(company)).toEqual([
    'Rejected: sender ID Harbour',
    'A question about your sender ID Harbour',
    'Approved: sender ID Harbour',
  ]);
  expect(await acts()).toEqual([
    'sender.begun',
    'sender.submitted',
    'sender.updated',
    'sender.rejected',
    'sender.submitted',
    'sender.asked',
    'sender.submitted',
    'sender.approved',
  ]);
  const events = await world.kernel.db.rows(sql`
    select payload->>'status' as status from events where account_id = ${company.account_id} and type = 'sender.updated'
    order by id desc limit 1`);
  expect(events).toEqual([{ status: 'approved' }]);
  const desks = await world.kernel.db.rows(
    sql`select 1 from events where account_id = ${operator.account_id} and type = 'request.changed'`,
  );
  expect(desks.length).toBe(6);

  await makeCarrier(world.kernel, { countries: ['GB'] });
  const message = await owner.post('/v1/messages', {
    from: 'Harbour',
    to: ['447410000001'],
    channel: 'SMS',
    text: 'Hello',
  });
  expect(message.status).toBe(200);
});

test('a request with an open question cannot be approved, and a new revision must be reviewed first', async () => {
  const { id } = await order({ type: 'alphanumeric', code: 'HarbourTea', countries: ['GB'] });
  await fillForm(owner, id, 'sender_id');
  await submit(id);
  const request = await waiting(id);
  const readRevision = async () => (await desk.get(`/v1/requests/${request.id}`)).body.data.revision as number;
  const before = await readRevision();
  await decide(request, { decision: 'ask', note: 'Who sells the tea?', revision: before });
  // The form is editable now, so the customer can enter a different name.
  expect((await owner.put(`/v1/senders/${id}`, { code: 'YourBank' })).status).toBe(200);
  for (const body of [{ decision: 'approve' }, { decision: 'approve', revision: before }])
    expect((await decide(request, body)).body.errors[0]).toMatchObject({
      code: 1156,
      message: expect.stringContaining('waiting for more information'),
    });
  expect(await detail(id)).toMatchObject({ status: 'pending', asked: true });

  // The form is resubmitted while an operator still views the previous revision.
  expect((await submit(id)).status).toBe(201);
  expect((await decide(request, { decision: 'approve', revision: before })).body.errors[0]).toMatchObject({
    code: 1156,
    message: expect.stringContaining('Review it again'),
  });
  expect(await detail(id)).toMatchObject({ status: 'pending', asked: false });
  expect(await readRevision()).toBe(before + 1);
  const reasons = [{ field: 'code', text: 'The name belongs to another company.' }];
  expect((await decide(request, { decision: 'reject', reasons, revision: before + 1 })).status).toBe(200);
});

test('a short code is assigned its digits at approval, and no other account can use them', async () => {
  const { id } = await order({
    type: 'short_code',
    countries: ['US'],
    wish: { kind: 'chosen', codes: ['63420', '63421'] },
  });
  await fillForm(owner, id, 'short_code');
  expect((await submit(id)).body.errors).toMatchObject([{ code: 1476, field: 'attachments.letter_of_authorization' }]);
  expect((await attachTo(owner, id, 'letter_of_authorization', { name: 'letter.pdf', bytes: PDF })).status).toBe(200);
  expect((await submit(id)).status).toBe(201);
  const request = await waiting(id);
  expect((await desk.get(`/v1/requests/${request.id}`)).body.data).toMatchObject({
    sender: { wish: { kind: 'chosen', codes: ['63420', '63421'] } },
    documents: [{ kind: 'letter_of_authorization', content_type: 'application/pdf' }],
  });
  expect(code(await decide(request, { decision: 'approve' }))).toBe(1409);
  expect(code(await decide(request, { decision: 'approve', code: 'HELLO' }))).toBe(1407);
  expect((await decide(request, { decision: 'approve', code: '63420' })).status).toBe(200);
  expect(await detail(id)).toMatchObject({ code: '63420', status: 'available', two_way: true });

  // Requested short codes have no digits yet, so the names of later ones for the same country are numbered.
  const names = [];
  for (let count = 0; count < 2; count++) names.push((await order({ type: 'short_code', countries: ['US'] })).name);
  expect(names).toEqual(['Short code US 2', 'Short code US 3']);

  const other = world.as((await makeCompany(world.kernel)).token);
  const otherOrder = await order({ type: 'short_code', countries: ['US'] }, other);
  await fillForm(other, otherOrder.id, 'short_code');
  await attachTo(other, otherOrder.id, 'letter_of_authorization', { name: 'letter.pdf', bytes: PDF });
  await submit(otherOrder.id, other);
  expect(code(await decide(await waiting(otherOrder.id), { decision: 'approve', code: '63420' }))).toBe(1440);
  // A rejected decision changes nothing.
  expect(await waiting(otherOrder.id)).toMatchObject({ status: 'waiting' });
});

test.each(['tcr', 'toll_free'] as const)(
  'a %s approval makes a number available and applies its keyword responses',
  async (kind) => {
    const number = kind === 'tcr' ? '12065550111' : '18005550111';
    await makeNumber(world.kernel, number, { type: kind === 'tcr' ? 'local' : 'toll_free', country: 'US' });
    const { id, status } = await order({ type: kind === 'tcr' ? 'local' : 'toll_free', code: number });
    expect(status).toBe('unregistered');
    const adder = world.as((await makeUser(world.kernel, company.account_id, { permissions: { SENDERS: 3 } })).token);
    await fillForm(owner, id, kind);
    if (kind === 'toll_free')
      await attachTo(owner, id, 'opt_in_image', {
        name: 'checkout.png',
        bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
      });
    expect(code(await adder.put(`/v1/senders/${id}/${kind}`, FORM[kind]))).toBe(1136);
    expect(code(await submit(id, adder))).toBe(1136);
    expect((await submit(id)).status).toBe(201);
    await decide(await waiting(id), { decision: 'approve' });
    expect((await detail(id)).status).toBe('available');
    const texts = await world.kernel.db.one(sql`select help_text, stop_text from senders where id = ${id}`);
    expect(texts).toEqual({
      help_text: FORM.compliance_keyword_responses.help_text,
      stop_text: FORM.compliance_keyword_responses.stop_text,
    });
    // Only the keyword responses of a sender in use can change.
    const fields = {
      ...FORM.compliance_keyword_responses,
      help_text: 'Harbour Coffee: call +49 40 1234567. Reply STOP to end.',
    };
    expect((await owner.put(`/v1/senders/${id}/compliance_keyword_responses`, fields)).status).toBe(200);
    expect(code(await owner.put(`/v1/senders/${id}/sms_campaign`, FORM.sms_campaign))).toBe(1472);
  },
);

describe('a sender ID', () => {
  test.each<[string, object, number]>([
    ['no code', { countries: ['DE'] }, 1409],
    ['twelve characters', { code: 'HarbourCoffe', countries: ['DE'] }, 1405],
    ['digits only', { code: '12345', countries: ['DE'] }, 1405],
    ['an unsupported character', { code: 'Häfen', countries: ['DE'] }, 1405],
    ['a blank code', { code: '  ', countries: ['DE'] }, 1409],
    ['no country', { code: 'Coffee' }, 1410],
    ['an unknown country', { code: 'Coffee', countries: ['Germany'] }, 1412],
    ['a country that does not support it', { code: 'Coffee', countries: ['DE', 'US'] }, 1471],
    ['a name that is too long', { code: 'Coffee', countries: ['DE'], name: 'x'.repeat(46) }, 1406],
  ])('is rejected with %s', async (_, data, expected) => {
    expect(code(await owner.post('/v1/senders', { type: 'alphanumeric', ...data }))).toBe(expected);
  });

  test('has a unique code and name on its channel until it is removed', async () => {
    const otherCompany = await makeCompany(world.kernel);
    const api = world.as(otherCompany.token);
    const { id } = await order({ type: 'alphanumeric', code: 'Roastery', countries: ['DE'] }, api);
    await fillForm(api, id, 'sender_id');
    await submit(id, api);
    expect(code(await api.post('/v1/senders', { type: 'alphanumeric', code: 'ROASTERY', countries: ['GB'] }))).toBe(
      1440,
    );
    expect(
      code(await api.post('/v1/senders', { type: 'alphanumeric', code: 'Beans', name: 'Roastery', countries: ['GB'] })),
    ).toBe(1441);
    const beans = await order({ type: 'alphanumeric', code: 'Beans', countries: ['GB'] }, api);
    expect(code(await api.put(`/v1/senders/${beans.id}`, { name: 'Roastery' }))).toBe(1441);
    const open = await waiting(id);
    expect((await api.delete(`/v1/senders/${id}`)).status).toBe(204);
    expect(code(await decide(open, { decision: 'approve' }))).toBe(1156);
    expect((await desk.get(`/v1/requests/${open.id}`)).body.data.status).toBe('withdrawn');
    expect((await api.put(`/v1/senders/${beans.id}`, { name: 'Roastery' })).status).toBe(200);
  });
});

test('another account cannot read, change, submit, or remove a sender', async () => {
  const { id } = await order({ type: 'alphanumeric', code: 'Mine', countries: ['DE'] });
  const stranger = world.as((await makeCompany(world.kernel)).token);
  const before = await detail(id);
  const replies = await Promise.all([
    stranger.get(`/v1/senders/${id}`),
    stranger.put(`/v1/senders/${id}`, { name: 'Theirs' }),
    stranger.put(`/v1/senders/${id}/company`, FORM.company),
    stranger.get(`/v1/senders/${id}/preflight`),
    submit(id, stranger),
    stranger.delete(`/v1/senders/${id}`),
  ]);
  expect(replies.map(code)).toEqual(Array(6).fill(1402));
  expect(await detail(id)).toEqual(before);
  expect(code(await stranger.get('/v1/requests'))).toBe(1138);
});

test('an unverified account can read the rules but cannot create a sender', async () => {
  const unverified = world.as((await makeCompany(world.kernel, { status: 'UNVERIFIED' })).token);
  expect(code(await unverified.post('/v1/senders', { type: 'alphanumeric', code: 'Early', countries: ['DE'] }))).toBe(
    1524,
  );
  const rules = await unverified.get('/v1/sender_rules?channel=sms&filter[countries]=us,DE,ZW');
  expect(
    rules.body.data.map(({ country, types }: { country: string; types: { type: string; state: string }[] }) => [
      country,
      types.find(({ type }) => type === 'alphanumeric')!.state,
    ]),
  ).toEqual([
    ['US', 'no'],
    ['DE', 'open'],
    ['ZW', 'open'],
  ]);
  expect((await unverified.get('/v1/sender_rules')).body.data.length).toBeGreaterThan(20);
});

test('all invariants hold after these tests', async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
