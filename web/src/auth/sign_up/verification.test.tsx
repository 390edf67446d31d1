import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../../test/app.tsx';
import { ACCOUNT, type Call, respond, type Stub, stubApi, USER } from '../../test/draw.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const FORM = {
  company_name: 'Harbour GmbH',
  country_code: 'DE',
  company_address: 'Am Kai 4, Hamburg',
  company_website: '',
  company_size: '1-50',
  industry_id: 9,
  vat_number: '',
  use_case: 'Order updates to people who bought something.',
  interests: ['sms'],
  monthly_volume: 'under_1000',
};
const review = (status: string, reason = '') => ({
  id: ACCOUNT.id,
  account_id: ACCOUNT.id,
  company_name: 'Harbour GmbH',
  status,
  form: FORM,
  reason_code: null,
  reason,
  reviewer_name: '',
  create_date: '2026-01-02 10:00:00',
  decide_date: null,
});
function serve(
  status: string,
  reviews: unknown[],
  stub: Stub = () => undefined,
  permissions = USER.permissions,
): Call[] {
  return stubApi(async (call) => {
    const response = await stub(call);
    if (response) return response;
    if (call.path === '/v1/users/self') return respond({ ...USER, permissions });
    if (call.path === '/v1/accounts/self') return respond({ ...ACCOUNT, status, verified: status === 'VERIFIED' });
    if (call.path === '/v1/accounts/self/verifications' && call.method === 'GET') return respond(reviews);
    if (call.path === '/v1/events') return new Promise(() => {});
    return undefined;
  });
}
const open = () => drawApp('/verification', { signedIn: true });

test.each([
  ['VERIFIED', [], 'Your account is verified'],
  ['FORM_SUBMITTED', [review('OPEN')], 'Your account is under review'],
  ['BLOCKED', [], 'This account is blocked'],
])('an account with status %s shows its state instead of the form', async (status, reviews, title) => {
  serve(status, reviews);
  open();
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(screen.queryByRole('form')).toBeNull();
});

test.each([
  ['REJECTED', 'Your last request was not approved:'],
  ['INFO_NEEDED', 'We need more information:'],
])('a review with status %s shows its reason above the submitted form', async (status, text) => {
  serve('UNVERIFIED', [review(status, 'The website could not be opened.')]);
  open();
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByText('The website could not be opened.')).toBeTruthy();
  expect((screen.getByLabelText('Address') as HTMLInputElement).value).toBe('Am Kai 4, Hamburg');
});

test('the form lists missing fields, focuses the first one, and is not sent', async () => {
  const calls = serve('UNVERIFIED', []);
  open();
  fireEvent.submit(await screen.findByRole('form'));
  expect(await screen.findByText('Address is required!')).toBeTruthy();
  expect(screen.getByText('Company size is required!')).toBeTruthy();
  expect(screen.getByText('What you send is required!')).toBeTruthy();
  expect(screen.getByText('Interests are required!')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Address')));
  fireEvent.change(screen.getByLabelText('What you send'), { target: { value: 'Things' } });
  fireEvent.submit(screen.getByRole('form'));
  expect(await screen.findByText('What you send must have at least 20 characters')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('a draft survives a reload and is discarded after it is submitted', async () => {
  const calls = serve('UNVERIFIED', [review('INFO_NEEDED', 'More')], ({ method, path }) =>
    method === 'POST' && path.endsWith('/verifications') ? respond(review('OPEN')) : undefined,
  );
  const view = open();
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: 'Neuer Kai 5, Hamburg' } });
  view.unmount();
  open();
  expect(((await screen.findByLabelText('Address')) as HTMLInputElement).value).toBe('Neuer Kai 5, Hamburg');
  fireEvent.submit(screen.getByRole('form'));
  await waitFor(() => {
    const body = calls.find(({ method }) => method === 'POST')?.body;
    expect(body).toEqual({ ...FORM, company_address: 'Neuer Kai 5, Hamburg' });
  });
  await waitFor(() => expect(localStorage.getItem(`parley.verification.${ACCOUNT.id}`)).toBeNull());
});

test('a user without permission sees which permission is missing', async () => {
  serve('UNVERIFIED', [], () => undefined, { MESSAGES: 15 } as never);
  open();
  expect(await screen.findByText(/You need View Account permission/)).toBeTruthy();
});
