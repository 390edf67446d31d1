/** @vitest-environment happy-dom */

import { notifications } from '@mantine/notifications';
import {
  decideRequest,
  type RequestDetail,
  requestChanged,
  requestPresenceChanged,
} from '@parley/contract/admin/requests.ts';
import type { AnyEventType } from '@parley/contract/event.ts';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import RequestsPage from './RequestsPage.tsx';
import { waitingTime } from './request_words.ts';

const CONNECTION = '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae';
const DATE = '2030-01-01 10:00:00';
type Detail = Pick<RequestDetail, 'id' | 'kind' | 'name' | 'status' | 'revision'> & Record<string, unknown>;

const request = (id: string, name: string, change: Partial<Detail> = {}): Detail => ({
  id,
  account_id: `account-of-${id}`,
  target_id: `account-of-${id}`,
  company_name: name,
  kind: 'company',
  name,
  about: 'Appointment reminders for our customers',
  countries: ['GB'],
  status: 'waiting',
  words: '',
  reviewer_name: '',
  create_date: DATE,
  decide_date: null,
  expected_date: null,
  revision: 1,
  documents: [],
  history: [
    { id: `h${id}`, action: 'account.rejected', actor_name: 'Olive Marlow', text: 'No website', create_date: DATE },
  ],
  others: [],
  findings: [
    { level: 'good', text: 'The website can be reached' },
    { level: 'warning', text: 'gmail.com addresses are open to anyone' },
  ],
  company: {
    form: {
      company_name: name,
      country_code: 'GB',
      company_address: '1 Quay Street',
      company_website: 'https://harbour.example',
      company_size: '1-50',
      industry_id: 9,
      vat_number: '',
      use_case: 'Appointment reminders for our customers',
      interests: ['sms'],
      monthly_volume: 'under_1000',
    },
    customer: { owner_name: 'Ann Reed', owner_email: 'ann@gmail.com', create_date: DATE },
  },
  sender: null,
  template: null,
  ...change,
});
const sender = (change: object = {}) => ({
  sender: { id: 's1', name: 'Harbour', code: 'Harbour', business_name: '' },
  wish: null,
  form: {
    company: null,
    sms_campaign: null,
    signup_options: null,
    example_messages: null,
    compliance_keyword_responses: null,
    toll_free: null,
    tcr: null,
    whatsapp: null,
    viber: null,
  },
  connections: [],
  connection_id: null,
  carrier_address: null,
  ...change,
});

let stored: Detail[];
let calls: Call[];
let refusal: Response | null;
let others: { user_id: string; name: string; since: string }[];
/** The live stream of the open page. */
let stream: ReadableStreamDefaultController<Uint8Array>;
const emitLive = (type: AnyEventType, data: object) =>
  act(() => {
    const event = { event_type: type.id, modules: type.modules, timestamp: DATE, seq: 1, data };
    stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  });
beforeEach(() => {
  stored = [request('a', 'Harbour'), request('b', 'Northgate'), request('c', 'Solstice')];
  refusal = null;
  others = [];
  const session = sessionStub();
  calls = stubApi(async (call) => {
    if (call.path === '/v1/events')
      return new Response(
        new ReadableStream({
          start(controller) {
            stream = controller;
          },
        }),
      );
    const [, id, isPresence] = /^\/v1\/requests\/(\w+)(\/look)?$/.exec(call.path) ?? [];
    if (call.path === '/v1/requests') {
      const waiting = stored.filter(({ status }) => status === 'waiting');
      return respond(waiting, { number: 1, size: 10, total: waiting.length, links: { next: null } });
    }
    if (isPresence) return respond({ others });
    if (id && call.method === 'PUT') {
      if (refusal) return refusal;
      stored = stored.map((entry) => (entry.id === id ? { ...entry, status: 'approved' } : entry));
    }
    return id ? respond(stored.find((entry) => entry.id === id)!) : session(call);
  });
});
afterEach(() => {
  // Unmounts before the stub is removed, because leaving a request calls the stub.
  cleanup();
  vi.unstubAllGlobals();
  // Toasts from one test would hide toasts from the next, because only a few are shown at a time.
  act(() => {
    notifications.clean();
    notifications.cleanQueue();
  });
});

const decisions = () =>
  calls
    .filter(({ method, path }) => method === 'PUT' && !path.endsWith('/look'))
    .map(({ path, body }) => ({ path, ...decideRequest.body.parse(body) }));
const open = async (id = 'a') => {
  await draw(RequestsPage, { address: `/?open=${id}` });
  await screen.findByRole('radio', { name: 'Approve' });
};
const findHeading = (name: string) => screen.findByRole('heading', { name });
const press = (key: string) => fireEvent.keyDown(document.body, { key });

test('the queue lists waiting requests, and the panel shows the checks, form, and history', async () => {
  await open();
  expect(calls.find(({ path }) => path === '/v1/requests')!.query.get('filter[statuses]')).toBe('waiting');
  expect(screen.getByRole('img', { name: 'Warning' }).closest('li')!.textContent).toContain('gmail.com');
  expect(screen.getByRole('img', { name: 'Passed' }).closest('li')!.textContent).toContain('can be reached');
  expect(screen.getByText(/Olive Marlow rejected the account: No website/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'harbour.example' }).getAttribute('rel')).toContain('noreferrer');
});

test('the next waiting request opens after a decision, and the panel closes after the last one', async () => {
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Approve request' }));
  await findHeading('Northgate');
  expect(decisions()).toMatchObject([{ path: '/v1/requests/a', decision: 'approve', revision: 1 }]);
  for (const next of ['Solstice', null]) {
    fireEvent.click(await screen.findByRole('button', { name: 'Approve request' }));
    if (next) await findHeading(next);
    else await screen.findByText('No requests are waiting');
  }
  expect(decisions().map(({ path }) => path)).toEqual(['a', 'b', 'c'].map((id) => `/v1/requests/${id}`));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve request' })).toBeNull());
});

test('a rejection requires a reason or message, previews it, and can be submitted with Ctrl+Enter', async () => {
  await open();
  press('r');
  fireEvent.click(await screen.findByRole('button', { name: 'Reject request' }));
  expect(await screen.findByText(/Select a reason or write/)).toBeTruthy();
  expect(decisions()).toEqual([]);
  const text = screen.getByLabelText(/In your own words/);
  fireEvent.change(text, { target: { value: 'The company is not in the register.' } });
  expect(screen.getByText('Message to the customer: The company is not in the register.')).toBeTruthy();
  fireEvent.keyDown(text, { key: 'Enter', ctrlKey: true });
  await findHeading('Northgate');
  expect(decisions()).toMatchObject([{ decision: 'reject', reasons: [], note: 'The company is not in the register.' }]);
});

test('J/K move through the queue, A/R/Q select an outcome, and none of these keys submits', async () => {
  await open();
  press('j');
  await findHeading('Northgate');
  press('k');
  await findHeading('Harbour');
  press('k');
  press('q');
  await screen.findByRole('button', { name: 'Request information' });
  fireEvent.keyDown(screen.getByLabelText(/In your own words/), { key: 'j' });
  expect(await findHeading('Harbour')).toBeTruthy();
  press('a');
  await screen.findByRole('button', { name: 'Approve request' });
  expect(decisions()).toEqual([]);
});

test('a decision shows an error and keeps the request open when another operator decided first', async () => {
  refusal = refuse(409, { code: 1156, message: 'Olive Marlow has approved it already' });
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Approve request' }));
  expect(await screen.findByText('Olive Marlow has approved it already')).toBeTruthy();
  expect(await findHeading('Harbour')).toBeTruthy();
});

test('an operator sees in real time who else has the request open and what they decide', async () => {
  others = [{ user_id: 'u2', name: 'Olive Marlow', since: DATE }];
  await open();
  expect(await screen.findByText('Olive Marlow has this request open too.')).toBeTruthy();
  others = [];
  emitLive(requestPresenceChanged, { id: 'a', kind: 'company', user_id: 'u2' });
  await waitFor(() => expect(screen.queryByText(/has this request open too/)).toBeNull());
  stored = stored.map((entry) =>
    entry.id === 'a' ? { ...entry, status: 'approved', reviewer_name: 'Olive Marlow' } : entry,
  );
  emitLive(requestChanged, { id: 'a', kind: 'company' });
  expect(await screen.findByText('Olive Marlow approved it while you had it open.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve request' })).toBeNull();
});

test('a request cannot be approved, and shows why, while the customer’s reply is pending', async () => {
  stored = [request('a', 'Harbour', { kind: 'sender_id', company: null, sender: sender(), status: 'asked' })];
  await open();
  // The form opens with "Request information" selected instead of "Approve".
  await screen.findByRole('button', { name: 'Request information' });
  fireEvent.click(screen.getByRole('radio', { name: 'Approve' }));
  const button = await screen.findByRole('button', { name: 'Approve request' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByText(/Waiting for the customer’s reply/)).toBeTruthy();
  fireEvent.click(button);
  expect(decisions()).toEqual([]);
});

test.each([
  ['short_code', 'Short code is required!', /Short code/, '63420', { code: '63420' }],
  ['viber', 'Service ID is required!', /Service ID/, '4711', { connection_id: CONNECTION, carrier_address: '4711' }],
] as const)(
  'a %s request cannot be approved without the code or ID from the carrier',
  async (kind, error, label, value, fields) => {
    const connections = [{ id: CONNECTION, name: 'Viber', enabled: true }];
    stored = [request('a', 'Harbour', { kind, company: null, sender: sender({ connections }), revision: 3 })];
    if (kind === 'short_code') stored[0]!.sender = sender();
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Approve request' }));
    expect(await screen.findByText(error)).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value: ` ${value} ` } });
    fireEvent.click(screen.getByRole('button', { name: 'Approve request' }));
    await waitFor(() => expect(decisions()).toMatchObject([{ decision: 'approve', revision: 3, ...fields }]));
  },
);

test.each([
  ['2030-01-01 09:59:30', '0 min'],
  ['2030-01-01 09:01:00', '59 min'],
  ['2029-12-31 10:00:01', '23 h'],
  ['2029-12-29 09:00:00', '3 days'],
  // The browser's and the server's clocks differ slightly.
  ['2030-01-01 10:00:09', '0 min'],
])('a request submitted at %s has been waiting for %s at 10:00 on January 1, 2030', (submitted, label) => {
  expect(waitingTime(submitted, Date.parse('2030-01-01T10:00:00Z'))).toBe(label);
});
