/** @vitest-environment happy-dom */
import { Registration, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import BuyNumberPage from '../numbers/BuyNumberPage.tsx';
import { RequestWizard } from '../registrations/sms/RequestWizard.tsx';
import { type Call, draw, refuse, respond, type Stub, sessionStub, stubApi } from '../test/draw.tsx';
import EditSenderPage from './EditSenderPage.tsx';
import { fieldLabel, senderStatus } from './labels.ts';
import SendersPage from './SendersPage.tsx';

const DATE = '2030-01-01 10:00:00';
const EMPTY = Registration.parse({
  company: null,
  sms_campaign: null,
  signup_options: null,
  example_messages: null,
  compliance_keyword_responses: null,
  toll_free: null,
  tcr: null,
});
const detail = (change: Partial<SenderDetail> = {}): SenderDetail => ({
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9cab01',
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  name: 'Harbour',
  code: 'Harbour',
  channel: 'SMS',
  type: 'alphanumeric',
  status: 'unregistered',
  countries: ['DE'],
  two_way: false,
  brand: '',
  business_name: '',
  carrier_state: null,
  request_status: null,
  rental: null,
  pool_id: null,
  pool_name: null,
  members_count: 0,
  kind: 'sender_id',
  wish: null,
  registration: EMPTY,
  attachments: [],
  documents: [],
  verification: null,
  profile: null,
  reasons: [],
  note: '',
  asked: false,
  editable: true,
  expected_days: [1, 2],
  expected_date: null,
  timeline: [{ id: 'a', kind: 'created', text: '', create_date: DATE }],
  campaigns: [],
  messages_30_days: 0,
  create_date: DATE,
  update_date: DATE,
  ...change,
});
const number = detail({
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9cab02',
  code: '447700900123',
  name: '+447700900123',
  type: 'mobile',
  kind: null,
  status: 'available',
  request_status: 'COMPLETED',
  two_way: true,
  editable: false,
  rental: { currency: 'USD', monthly_micros: 3_500_000, renewal_date: '2030-02-01 10:00:00', grace_date: null },
  campaigns: [{ id: 'c', name: 'Spring offer', status: 'scheduled' }],
});
const page = (data: unknown[]) =>
  respond(data, {
    number: 1,
    size: 10,
    total: data.length,
    links: { first: '', current: '', previous: null, next: null },
  });

const stub =
  (handle: Stub, permissions?: Record<string, number>): Stub =>
  (call) =>
    handle(call) ?? sessionStub(permissions ? { permissions } : {})(call);

afterEach(() => vi.unstubAllGlobals());

test('requests use the specified status labels, and senders use their own', () => {
  const label = (status: SenderDetail['status'], request_status: SenderDetail['request_status']) =>
    senderStatus({ type: 'mobile', status, request_status }).label;
  expect(label('available', 'COMPLETED')).toBe('Available');
  expect(label('rejected', 'CANCELED')).toBe('Rejected');
  expect(label('pending', 'IN_PROCESS')).toBe('Pending');
  expect(label('canceled', 'DELETED')).toBe('Deleted');
  expect(label('unregistered', null)).toBe('Unregistered');
  expect(senderStatus({ type: 'alphanumeric', status: 'canceled', request_status: 'DELETED' }).label).toBe('Canceled');
  expect(fieldLabel('example_messages.messages.1')).toBe('Example messages');
});

test('each tab requests its own sender types, and numbers show their price and renewal date', async () => {
  const calls = stubApi(stub(({ path }) => (path === '/v1/senders' ? page([number]) : undefined)));
  await draw(SendersPage, { address: '/?tab=numbers' });
  const row = await screen.findByRole('row', { name: /447700900123|7700 900123/ });
  expect(within(row).getByText('$3.50')).toBeTruthy();
  expect(row.textContent).toContain('01-02-2030');
  expect(screen.getByRole('link', { name: 'My Numbers' }).getAttribute('aria-current')).toBe('page');
  const [request] = calls.filter(({ path }) => path === '/v1/senders');
  expect(request!.query.get('filter[types]')).toBe('local,mobile,toll_free');
});

test('drafts without a code show their names and only the requested countries', async () => {
  const draft = (id: string, name: string, overrides: Partial<SenderDetail>) =>
    detail({ id: `01a1fd0a-dc6e-776b-9f75-00ea6b9cab${id}`, name, code: '', status: 'unregistered', ...overrides });
  const shortCode = draft('41', 'Short code US', { type: 'short_code', countries: ['US'] });
  const ca = draft('42', 'Short code CA', { type: 'short_code', countries: ['CA'] });
  const viber = draft('43', 'Harbour Beans', { type: 'business', channel: 'VIBER', countries: [] });
  stubApi(stub(({ path }) => (path === '/v1/senders' ? page([shortCode, ca, viber]) : undefined)));
  await draw(SendersPage);
  expect((await screen.findByRole('row', { name: /Short code US/ })).textContent).toContain('No code yet');
  expect(screen.getByRole('row', { name: /Short code CA/ }).textContent).toContain('Canada');
  const row = screen.getByRole('row', { name: /Harbour Beans/ });
  expect(row.textContent).not.toContain('No code yet');
  expect(within(row).queryByText('All')).toBeNull();
});

test('releasing a number requires a confirmation that names the affected campaigns', async () => {
  const calls = stubApi(
    stub(({ path, method }) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (path === '/v1/senders') return page([number]);
      if (path === '/v1/own_numbers')
        return respond([{ number: number.code, source: 'account', verify_date: null, sender_id: 'w' }]);
      if (path === `/v1/senders/${number.id}`) return respond(number);
      return undefined;
    }),
  );
  await draw(SendersPage, { address: `/?tab=numbers&open=${number.id}` });
  fireEvent.click(await screen.findByRole('button', { name: 'Release' }));
  expect(await screen.findByText(/Campaigns that use it can no longer be sent: Spring offer\./)).toBeTruthy();
  expect(screen.getByText(/The WhatsApp sender for this number will also be deleted/)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Release 447700900123' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
});

test('a user with only view permission cannot create senders', async () => {
  stubApi(stub(({ path }) => (path === '/v1/senders' ? page([]) : undefined), { SENDERS: 1 }));
  await draw(SendersPage);
  await screen.findByText('No senders yet');
  for (const link of screen.getAllByText('Create sender'))
    expect(link.closest('[aria-disabled="true"],[data-disabled="true"],[disabled]')).toBeTruthy();
});

test('a rejected sender shows the reason for each field and links to its correction', async () => {
  const rejected = detail({
    status: 'rejected',
    request_status: 'CANCELED',
    reasons: [{ field: 'example_messages.messages', text: 'The examples do not name the company.' }],
    note: 'See our guide.',
  });
  stubApi(
    stub(({ path }) =>
      path === '/v1/senders' ? page([rejected]) : path.endsWith(rejected.id) ? respond(rejected) : undefined,
    ),
  );
  await draw(SendersPage, { address: `/?open=${rejected.id}` });
  const panel = await screen.findByRole('dialog');
  expect(await within(panel).findByText('Why it was rejected')).toBeTruthy();
  expect(within(panel).getByText('Example messages')).toBeTruthy();
  expect(within(panel).getByText('See our guide.')).toBeTruthy();
  const link = within(panel).getByRole('link', { name: 'Edit and resubmit' });
  expect(link.getAttribute('href')).toContain(`id=${rejected.id}`);
});

test('a wizard step is saved before the next one opens and shows server errors', async () => {
  const calls = stubApi(
    stub(({ path, method }) => {
      if (method === 'POST' && path === '/v1/senders')
        return refuse(409, { code: 1440, message: 'This sender ID has already been ordered', field: 'code' });
      return undefined;
    }),
  );
  await draw(() => <RequestWizard kind="sender_id" sender={null} />, { address: '/?country=DE' });
  fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
  expect((await screen.findAllByText('Sender ID is required!')).length).toBeGreaterThan(0);
  const posts = () => calls.filter(({ method }) => method === 'POST');
  fireEvent.change(screen.getByRole('textbox', { name: /Sender ID/ }), { target: { value: 'Harbour' } });
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect((await screen.findAllByText('This sender ID has already been ordered')).length).toBeGreaterThan(0);
  expect((posts().at(-1) as Call).body).toEqual({ type: 'alphanumeric', code: 'Harbour', countries: ['DE'] });
});

test('the review step blocks submission, explains each problem, and links to its step', async () => {
  const draft = detail();
  stubApi(stub(({ path }) => (path.endsWith('/preflight') ? respond([]) : undefined)));
  const { router } = await draw(() => <RequestWizard kind="sender_id" sender={draft} />, { address: '/?step=review' });
  expect(await screen.findByText('3 problems to fix before you can submit.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Submit for review' }).getAttribute('aria-disabled')).toBe('true');
  const [first] = within(screen.getByRole('list', { name: 'Problems' })).getAllByRole('listitem');
  expect(within(first!).getByText('The company is missing')).toBeTruthy();
  fireEvent.click(within(first!).getByRole('button', { name: /^Fix/ }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ step: 'company' }));
  router.history.back();
  expect(await screen.findByText('3 problems to fix before you can submit.')).toBeTruthy();
});

test('buying a number that was just sold shows an error and reloads the list', async () => {
  const free = {
    number: '447700900200',
    type: 'mobile',
    country: 'GB',
    city: '',
    currency: 'USD',
    setup_cost: 1,
    monthly_cost: 3.5,
    setup_micros: 1_000_000,
    monthly_micros: 3_500_000,
    registration: false,
  };
  const calls = stubApi(
    stub(({ path, method }) => {
      if (path === '/v1/numbers') return page([free]);
      if (path === '/v1/number_places') return respond([{ type: 'mobile', country: 'GB', cities: [], count: 1 }]);
      if (method === 'POST')
        return refuse(409, { code: 1470, message: 'This number was just taken. Choose another number.' });
      return undefined;
    }),
  );
  await draw(BuyNumberPage);
  fireEvent.click(await screen.findByRole('button', { name: /^Buy \+44/ }));
  expect(await screen.findByText(/\$4\.50 will be charged to your balance now/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Buy for $4.50' }));
  expect(await screen.findByText('This number was just taken. Choose another number.')).toBeTruthy();
  await waitFor(() => expect(calls.filter(({ path }) => path === '/v1/numbers').length).toBeGreaterThan(1));
  const bought = calls.find(({ method }) => method === 'POST')!;
  expect(bought.body).toEqual({ type: 'mobile', code: '447700900200' });
  expect(bought.headers.get('idempotency-key')).toBeTruthy();
});

test('an active sender shows its keyword replies and allows changing its brand', async () => {
  const calls = stubApi(
    stub(({ path, method }) =>
      method === 'PUT' ? respond(number) : path.endsWith(number.id) ? respond(number) : undefined,
    ),
  );
  await draw(EditSenderPage, { address: `/?id=${number.id}` });
  expect(await screen.findByRole('textbox', { name: 'Reply to STOP' })).toBeTruthy();
  const brand = await screen.findByRole('textbox', { name: /Brand/ });
  fireEvent.change(brand, { target: { value: 'Harbour' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ name: '+447700900123', brand: 'Harbour' }),
  );
});

test('campaigns of every channel are linked, and pool members do not show blocked contacts', async () => {
  const viber = detail({
    channel: 'VIBER',
    type: 'business',
    kind: 'viber',
    status: 'available',
    editable: false,
    campaigns: [{ id: 'c', name: 'Spring offer', status: 'scheduled' }],
  });
  const remaining = [viber, { ...number, pool_id: 'another', pool_name: 'Harbour UK' }, number];
  stubApi(
    stub(({ path }) => {
      if (path === '/v1/senders' || path === '/v1/stop_list') return page([]);
      return path.startsWith('/v1/senders/') ? respond(remaining[0]) : undefined;
    }),
  );
  for (const blocks of [true, false, true]) {
    const page = await draw(SendersPage, { address: `/?open=${remaining[0]!.id}` });
    const panel = within(await screen.findByRole('dialog'));
    expect(await panel.findByText('Spring offer')).toBeTruthy();
    expect(panel.getByRole('link', { name: 'Spring offer' })).toBeTruthy();
    expect(panel.queryByRole('heading', { name: 'Blocked contacts' }) !== null).toBe(blocks);
    page.view.unmount();
    remaining.shift();
  }
});
