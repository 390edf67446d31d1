/** @vitest-environment happy-dom */

import { notifications } from '@mantine/notifications';
import { decideReview } from '@parley/contract/customers.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, type Call, draw, refuse, sessionStub, stubApi } from '../test/draw.tsx';
import VerificationsPage from './VerificationsPage.tsx';

const DATE = '2030-01-01 10:00:00';
const form = (company_name: string) => ({
  company_name,
  country_code: 'GB',
  company_address: '1 Quay Street',
  company_website: 'https://harbour.example',
  company_size: '1-50',
  industry_id: 9,
  vat_number: '',
  use_case: 'Reminders of appointments to our customers',
  interests: ['sms'],
  monthly_volume: 'under_1000',
});
const review = (id: string, company_name: string, status = 'OPEN') => ({
  id,
  account_id: `account-of-${id}`,
  company_name,
  status,
  form: form(company_name),
  reason_code: null,
  reason: status === 'REJECTED' ? 'No website' : '',
  reviewer_name: status === 'OPEN' ? '' : 'Olive Marlow',
  create_date: DATE,
  decide_date: status === 'OPEN' ? null : DATE,
});

let waiting: ReturnType<typeof review>[];
let calls: Call[];
let refusal: Response | null;
beforeEach(() => {
  waiting = [review('a', 'Harbour'), review('b', 'Northgate'), review('c', 'Solstice')];
  refusal = null;
  const session = sessionStub();
  calls = stubApi(async (call) => {
    const id = /^\/v1\/account_reviews\/(\w+)$/.exec(call.path)?.[1];
    if (call.path === '/v1/account_reviews')
      return answer(waiting, { number: 1, size: 10, total: waiting.length, links: { next: null } });
    if (id && call.method === 'PUT') {
      if (refusal) return refusal;
      const decided = waiting.find((one) => one.id === id)!;
      waiting = waiting.filter((one) => one.id !== id);
      return answer({ ...decided, status: 'APPROVED' });
    }
    if (id)
      return answer({
        ...waiting.find((one) => one.id === id)!,
        customer: {
          id: 'x',
          company_name: 'Harbour',
          owner_name: 'Ann Reed',
          owner_email: 'ann@gmail.com',
          create_date: DATE,
        },
        earlier: id === 'a' ? [review('old', 'Harbour', 'REJECTED')] : [],
        findings: [
          { level: 'good', text: 'The website can be reached' },
          { level: 'warning', text: 'gmail.com gives addresses to everybody' },
        ],
      });
    return session(call);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  // What one test was told must not keep the next from being heard: only so many toasts are shown at once.
  act(() => {
    notifications.clean();
    notifications.cleanQueue();
  });
});

const decisions = () =>
  calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => ({ path, ...decideReview.body.parse(body) }));
const openFirst = async () => {
  await draw(VerificationsPage, { address: '/?open=a' });
  await screen.findByRole('button', { name: 'Approve company' });
};

test('the queue asks for what waits, and the panel tells what can be checked and what came before', async () => {
  await openFirst();
  expect(calls.find(({ path }) => path === '/v1/account_reviews')!.query.get('filter[statuses]')).toBe('OPEN');
  expect(screen.getByRole('img', { name: 'Look at this' }).closest('li')!.textContent).toContain('gmail.com');
  expect(screen.getByRole('img', { name: 'Good' }).closest('li')!.textContent).toContain('can be reached');
  expect(screen.getByText('No website')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'harbour.example' }).getAttribute('rel')).toContain('noreferrer');
});

test('after a decision the next one is open; after the last the panel closes', async () => {
  await openFirst();
  fireEvent.click(screen.getByRole('button', { name: 'Approve company' }));
  expect(await screen.findByRole('heading', { name: 'Northgate' })).toBeTruthy();
  expect(decisions()).toEqual([{ path: '/v1/account_reviews/a', decision: 'approve', reason_code: null, reason: '' }]);
  for (const next of ['Solstice', null]) {
    fireEvent.click(await screen.findByRole('button', { name: 'Approve company' }));
    if (next) await screen.findByRole('heading', { name: next });
    else await screen.findByText('Nobody is waiting');
  }
  expect(decisions().map(({ path }) => path)).toEqual(['a', 'b', 'c'].map((id) => `/v1/account_reviews/${id}`));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve company' })).toBeNull());
});

test('rejecting needs words; what the company reads is shown; Ctrl and Enter decide', async () => {
  await openFirst();
  fireEvent.click(screen.getByRole('radio', { name: 'Reject' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Reject company' }));
  expect(await screen.findByText(/needs to know why/)).toBeTruthy();
  expect(decisions()).toEqual([]);
  const words = screen.getByLabelText(/In your own words/);
  fireEvent.change(words, { target: { value: 'The register has no such company.' } });
  expect(screen.getByText('They read: The register has no such company.')).toBeTruthy();
  fireEvent.keyDown(words, { key: 'Enter', ctrlKey: true });
  await screen.findByRole('heading', { name: 'Northgate' });
  expect(decisions()).toMatchObject([
    { decision: 'reject', reason_code: null, reason: 'The register has no such company.' },
  ]);
});

test('what somebody else has decided is told, and nothing is opened', async () => {
  refusal = refuse(409, { code: 1156, message: 'This has been decided already' });
  await openFirst();
  fireEvent.click(screen.getByRole('button', { name: 'Approve company' }));
  expect(await screen.findByText('This has been decided already')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Harbour' })).toBeTruthy();
});
