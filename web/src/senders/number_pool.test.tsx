/** @vitest-environment happy-dom */

import { Registration, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import type { SenderMember } from '@parley/contract/senders/members.ts';
import type { ListedSender } from '@parley/contract/senders/senders.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw, refuse, respond, sessionStub, stubApi } from '../test/draw.tsx';
import EditSenderPage from './EditSenderPage.tsx';
import SendersPage from './SendersPage.tsx';

const DATE = '2030-01-01 10:00:00';
const MAIN = '01a1fd0a-dc6e-776b-9f75-00ea6b9cab01';
const [SECOND, THIRD] = [MAIN.replace(/1$/, '2'), MAIN.replace(/1$/, '3')];
const CODES: Record<string, string> = { [MAIN]: '447400000100', [SECOND]: '12025550143', [THIRD]: '447400000103' };

const listed = (id: string, change: Partial<ListedSender> = {}): ListedSender => ({
  id,
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  name: `+${CODES[id]}`,
  code: CODES[id]!,
  channel: 'SMS',
  type: 'mobile',
  status: 'available',
  countries: [],
  pool_id: null,
  pool_name: null,
  members_count: 0,
  two_way: true,
  brand: '',
  business_name: '',
  carrier_state: null,
  request_status: 'COMPLETED',
  rental: null,
  create_date: DATE,
  update_date: DATE,
  ...change,
});
const detail = (sender: ListedSender): SenderDetail => ({
  ...sender,
  kind: null,
  wish: null,
  registration: Registration.parse({
    company: null,
    sms_campaign: null,
    signup_options: null,
    example_messages: null,
    compliance_keyword_responses: null,
    toll_free: null,
    tcr: null,
  }),
  attachments: [],
  documents: [],
  verification: null,
  profile: null,
  reasons: [],
  note: '',
  asked: false,
  editable: false,
  expected_days: null,
  expected_date: null,
  timeline: [],
  campaigns: [],
  messages_30_days: 0,
});
const member = (sender_id: string, change: Partial<SenderMember> = {}): SenderMember => ({
  sender_id,
  name: `+${CODES[sender_id]}`,
  code: CODES[sender_id]!,
  type: 'mobile',
  status: 'available',
  country: sender_id === SECOND ? 'US' : 'GB',
  countries: [],
  weight: 1,
  own: sender_id === MAIN,
  messages_30_days: 0,
  share: 0,
  ...change,
});

/** The pool members stored on the server. */
let members: SenderMember[];
let refusal: string | null;
const server = (permissions?: Record<string, number>) =>
  stubApi((call) => {
    const { path, method, body } = call;
    const pool = { pool_id: members.length > 0 ? MAIN : null, members_count: Math.max(0, members.length - 1) };
    if (path === `/v1/senders/${MAIN}/members`) {
      if (method === 'PUT' && refusal) return refuse(409, { code: 1489, message: refusal, field: 'members' });
      if (method === 'PUT') {
        const { members: next } = body as { members: { sender_id: string; weight?: number }[] };
        const ids = next.map(({ sender_id }) => sender_id).filter((id) => id !== MAIN);
        const weight = (id: string) => next.find((member) => member.sender_id === id)?.weight ?? 1;
        members = ids.length === 0 ? [] : [MAIN, ...ids].map((id) => member(id, { weight: weight(id) }));
      }
      return respond(members);
    }
    if (path === `/v1/senders/${MAIN}`) return respond(detail(listed(MAIN, pool)));
    if (path === '/v1/senders') {
      const isMember = (id: string) => members.some(({ sender_id }) => sender_id === id);
      const others = [SECOND, THIRD].map((id) =>
        listed(id, isMember(id) ? { pool_id: MAIN, pool_name: 'Harbour' } : {}),
      );
      const links = { first: '', current: '', previous: null, next: null };
      return respond([listed(MAIN, pool), ...others], { number: 1, size: 10, total: 3, links });
    }
    return sessionStub(permissions ? { permissions } : {})(call);
  });
const puts = (calls: ReturnType<typeof server>) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

beforeEach(() => {
  members = [];
  refusal = null;
});
afterEach(() => vi.unstubAllGlobals());

test('a number can be added to a pool, weighted, and removed', async () => {
  const calls = server();
  await draw(EditSenderPage, { address: `/?id=${MAIN}` });
  fireEvent.click(await screen.findByRole('combobox', { name: 'Add number' }));
  const options = (await screen.findAllByRole('option', { hidden: true })).map(({ textContent }) => textContent);
  expect(options).toHaveLength(2);
  fireEvent.click(screen.getByRole('option', { name: /202.*555.*0143/, hidden: true }));
  fireEvent.click(screen.getByRole('button', { name: 'Add number' }));
  const list = await screen.findByRole('list', { name: 'Number pool' });
  expect(puts(calls)).toEqual([{ members: [{ sender_id: SECOND }] }]);
  expect(within(list).getAllByRole('listitem')).toHaveLength(2);
  expect(within(list).getByText(/United Kingdom, main number/)).toBeTruthy();
  // The main number cannot be removed.
  expect(within(list).getAllByRole('button', { name: /^Remove/ })).toHaveLength(1);

  const weight = within(list).getByRole('textbox', { name: /^Weight of .*0143/ });
  fireEvent.change(weight, { target: { value: 'Weight 3' } });
  fireEvent.blur(weight);
  await waitFor(() => expect(puts(calls)).toHaveLength(2));
  expect(puts(calls)[1]).toEqual({
    members: [
      { sender_id: MAIN, weight: 1 },
      { sender_id: SECOND, weight: 3 },
    ],
  });
  await waitFor(() => expect(members[1]!.weight).toBe(3));
  fireEvent.click(await screen.findByRole('button', { name: /^Remove .*0143/ }));
  await waitFor(() => expect(puts(calls)[2]).toEqual({ members: [{ sender_id: MAIN, weight: 1 }] }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Number pool' })).toBeNull());
});

test('a rejected change shows the error and leaves the pool unchanged', async () => {
  members = [member(MAIN), member(SECOND)];
  refusal = 'The number is already in another number pool: +447400000103';
  server();
  await draw(EditSenderPage, { address: `/?id=${MAIN}` });
  fireEvent.click(await screen.findByRole('combobox', { name: 'Add number' }));
  fireEvent.click(await screen.findByRole('option', { name: /000103/, hidden: true }));
  fireEvent.click(screen.getByRole('button', { name: 'Add number' }));
  expect(await screen.findByText(refusal)).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Number pool' }).querySelectorAll('li')).toHaveLength(2);
});

test('the list shows the pool size, and the panel shows the members with their share of messages', async () => {
  members = [
    member(MAIN, { messages_30_days: 30, share: 0.3 }),
    member(SECOND, { messages_30_days: 70, share: 0.7, weight: 2 }),
  ];
  server();
  await draw(SendersPage, { address: `/?open=${MAIN}` });
  const panel = await screen.findByRole('dialog');
  const list = await within(panel).findByRole('list', { name: 'Number pool' });
  expect(within(list).getByText('30%, 30 messages since this pool was created')).toBeTruthy();
  expect(within(list).getByText('70%, 70 messages since this pool was created')).toBeTruthy();
  expect(screen.getByText('+1 number')).toBeTruthy();
  expect(screen.getByText('In the pool of Harbour')).toBeTruthy();
});

test('a pool member shows that it has had no messages since the pool was created', async () => {
  members = [member(MAIN), member(SECOND)];
  server();
  await draw(SendersPage, { address: `/?open=${MAIN}` });
  const list = await within(await screen.findByRole('dialog')).findByRole('list', { name: 'Number pool' });
  expect(within(list).getAllByText('No messages since this pool was created')).toHaveLength(2);
});

test('a pool member’s page names its pool and does not offer pool or keyword settings', async () => {
  members = [member(MAIN), member(SECOND)];
  const pooled = detail(listed(SECOND, { pool_id: MAIN, pool_name: 'Harbour' }));
  stubApi((call) => (call.path === `/v1/senders/${SECOND}` ? respond(pooled) : sessionStub()(call)));
  await draw(EditSenderPage, { address: `/?id=${SECOND}` });
  expect(await screen.findByText(/^This number is in the pool of Harbour/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Edit that sender' }).getAttribute('href')).toContain(MAIN);
  expect(screen.queryByRole('heading', { name: 'Number pool' })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'Reply to STOP' })).toBeNull();
});

test('a user with only view permission cannot change the pool', async () => {
  members = [member(MAIN), member(SECOND)];
  server({ SENDERS: 1 });
  await draw(EditSenderPage, { address: `/?id=${MAIN}` });
  const button = await screen.findByRole('button', { name: /^Remove/ });
  expect(button.getAttribute('aria-disabled') ?? button.getAttribute('data-disabled')).toBe('true');
  expect(screen.getByRole('combobox', { name: 'Add number' }).hasAttribute('disabled')).toBe(true);
});
