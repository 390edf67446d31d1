/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import WelcomePopup from '../onboarding/WelcomePopup.tsx';
import AccountPage from '../settings/company/AccountPage.tsx';
import { ACCOUNT, type Call, draw, respond, type Stub, sessionStub, stubApi, USER } from '../test/draw.tsx';
import ExpiredPage from './ExpiredPage.tsx';
import SubAccountsPage from './SubAccountsPage.tsx';
import { TrialChip } from './TrialChip.tsx';
import { daysLeftLabel, isEnding } from './trial.ts';
import { VerificationBanner } from './VerificationBanner.tsx';

const session = sessionStub();
const as = (account: Partial<typeof ACCOUNT>, extra: Stub = () => undefined): Call[] =>
  stubApi(async (call) => {
    const response = await extra(call);
    if (response) return response;
    if (call.path === '/v1/accounts/self') return respond({ ...ACCOUNT, ...account });
    return session(call);
  });
afterEach(() => vi.unstubAllGlobals());

describe('a user of a trial account', () => {
  const trial = { trial: true, days_left: 5, create_date: '2026-11-01 10:00:00', tags: ['PAID0'] };
  test('sees the days left and what happens when the trial ends', async () => {
    as({ ...trial, is_restricted_onboarding: true });
    await draw(TrialChip);
    fireEvent.click(await screen.findByRole('button', { name: /5 days left/ }));
    expect(await screen.findByText(/you cannot send or edit anything/)).toBeTruthy();
    expect(screen.getByText(/the personal phone number you used to register your free trial account/)).toBeTruthy();
    expect([daysLeftLabel(1), daysLeftLabel(0), isEnding(7), isEnding(8)]).toEqual([
      '1 day left',
      'Trial ended',
      true,
      false,
    ]);
  });
  test('sees a trial chip, unlike users of other accounts', async () => {
    as({});
    const { view } = await draw(TrialChip);
    expect(view.container.querySelector('button')).toBeNull();
  });
  test('sees what the account keeps when the trial has ended', async () => {
    as({ ...trial, days_left: 0, trial_period_expired: true });
    await draw(ExpiredPage, { address: '/' });
    expect(await screen.findByRole('heading', { name: 'Your trial has ended' })).toBeTruthy();
    expect(screen.getByText(/Contacts, campaigns, conversations/)).toBeTruthy();
  });
  test('sees that the shortcuts require verification when the company is unverified', async () => {
    as({ ...trial, verified: false, status: 'UNVERIFIED' }, ({ method }) =>
      method === 'PUT' ? respond(ACCOUNT) : undefined,
    );
    await draw(WelcomePopup);
    expect(await screen.findByText(/These features will be available once your company is verified/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try it now' }).getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByText(/Choose where to start/)).toBeNull();
  });
  test('sees three shortcuts until they are dismissed, each disabled if its page does not exist', async () => {
    const calls = as(trial, ({ method }) => (method === 'PUT' ? respond(ACCOUNT) : undefined));
    await draw(WelcomePopup);
    for (const title of ['Try It Now', 'Request Sender ID', 'API Configuration'])
      expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Create API key' }).getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Look around first' }));
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
    expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
      path: '/v1/accounts/self/preference',
      body: { welcome_closed: true },
    });
  });
});

test('the verification banner disappears when the company is verified', async () => {
  as({ verified: false, status: 'UNVERIFIED' });
  const first = await draw(VerificationBanner);
  expect((await screen.findByText(/not verified yet/)).textContent).toContain(
    'Verify it to send messages, create API keys',
  );
  first.view.unmount();
  as({ verified: false, status: 'FORM_SUBMITTED' });
  const second = await draw(VerificationBanner);
  expect(await screen.findByText(/reviewing your company details/)).toBeTruthy();
  second.view.unmount();
  as({});
  await draw(VerificationBanner);
  expect(screen.queryByText(/not verified yet|reviewing your company details/)).toBeNull();
});

test('a sub-account is created with its owner', async () => {
  const calls = as({}, ({ method, path }) => {
    if (path !== '/v1/accounts/self/subaccounts') return undefined;
    if (method === 'POST') return respond({ company_name: 'Pier 9', owner_email: 'mia@example.com' });
    return respond([], {
      number: 1,
      size: 10,
      total: 0,
      links: { first: '', current: '', previous: null, next: null },
    });
  });
  await draw(SubAccountsPage);
  fireEvent.click((await screen.findAllByRole('button', { name: 'Create sub-account' }))[0]!);
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  await screen.findByLabelText(/^Company name/);
  type(/^Company name/, 'Pier 9');
  type(/^First name/, 'Mia');
  type(/^Last name/, 'Sommer');
  type(/^Email/, 'mia@example.com');
  fireEvent.submit(screen.getByLabelText(/^Email/).closest('form')!);
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    company_name: 'Pier 9',
    country_code: 'AM',
    timezone: 'Asia/Yerevan',
    first_name: 'Mia',
    last_name: 'Sommer',
    email: 'mia@example.com',
  });
});

test('the company form omits a verified company’s name, and closing the account requires typing it', async () => {
  const calls = as({}, ({ method, path }) => {
    if (method === 'PUT') return respond(ACCOUNT);
    return path === '/v1/accounts/self/closures' ? new Response(null, { status: 204 }) : undefined;
  });
  await draw(AccountPage);
  fireEvent.change(await screen.findByLabelText(/^Address/), { target: { value: 'Pier 9, Hamburg' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save company' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  const { body } = calls.find(({ method }) => method === 'PUT')!;
  expect(body).toMatchObject({ company_address: 'Pier 9, Hamburg' });
  expect(body).not.toHaveProperty('company_name');
  fireEvent.click(screen.getByRole('button', { name: 'Close Harbour Coffee' }));
  expect(await screen.findByText('Type Harbour Coffee to confirm.')).toBeTruthy();
});

test('closing an account requires the password, and a 2FA code when 2FA is on', async () => {
  const calls = as({}, ({ path }) => {
    if (path === '/v1/users/self') return respond({ ...USER, second_factor: true });
    if (path === '/v1/users/self/second_factors')
      return respond({
        has_password: true,
        totp: true,
        totp_date: null,
        recovery_codes_left: 10,
        passkeys: 0,
        required: false,
      });
    return path === '/v1/accounts/self/closures' ? new Response(null, { status: 204 }) : undefined;
  });
  await draw(AccountPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Close Harbour Coffee' }));
  const code = await screen.findByLabelText('Authenticator code or recovery code');
  const form = code.closest('form')!;
  const type = (name: RegExp | string, value: string) =>
    fireEvent.change(within(form).getByLabelText(name), { target: { value } });
  type(/^Company name/, 'Harbour Coffee');
  fireEvent.submit(form);
  expect(await screen.findByText('Password is required!')).toBeTruthy();
  expect(await screen.findByText('Code is required!')).toBeTruthy();
  const body = { company_name: 'Harbour Coffee', current_password: 'Secret-123', factor_code: '123456' };
  type('Your password', body.current_password);
  fireEvent.change(code, { target: { value: body.factor_code } });
  fireEvent.submit(form);
  await waitFor(() =>
    expect(calls.filter(({ path }) => path.endsWith('/closures')).map((call) => call.body)).toEqual([body]),
  );
});

test('the owner must re-authenticate to stop requiring 2FA', async () => {
  const calls = as({ second_factor_required: true }, ({ method, path }) =>
    method === 'PUT' && path === '/v1/accounts/self' ? respond(ACCOUNT) : undefined,
  );
  await draw(AccountPage);
  fireEvent.click(await screen.findByLabelText(/^Require two-factor authentication/));
  const password = await screen.findByLabelText('Your password');
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  fireEvent.change(password, { target: { value: 'Secret-123' } });
  fireEvent.submit(password.closest('form')!);
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { current_password: 'Secret-123', second_factor_required: false },
    ]),
  );
});
