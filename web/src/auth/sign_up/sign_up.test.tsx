import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readToken } from '../../kernel/http/token.ts';
import { drawApp } from '../../test/app.tsx';
import { ACCOUNT, type Call, refuse, respond, type Stub, stubApi, USER } from '../../test/draw.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const ID = '0197a5f0-0000-7000-8000-0000000000aa';
const SECRET = 'a-secret-of-a-link-that-is-long-enough';
const session = { access_token: 'fresh', expire_date: null, next: null, verification_id: null, methods: [], email: '' };
const makeVerification = () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  return { id: ID, expire_date: at(600), resend_date: at(30) };
};
const people: Stub = ({ path }) => {
  if (path === '/v1/users/self') return respond({ ...USER, pending: 'phone' });
  if (path === '/v1/accounts/self') return respond({ ...ACCOUNT, user_country: 'DE' });
  if (path === '/v1/events') return new Promise(() => {});
  return undefined;
};
const serve = (stub: Stub): Call[] => stubApi(async (call) => (await stub(call)) ?? people(call));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

function fillSignUp() {
  type('First name', 'Frida');
  type('Last name', 'Founder');
  type('Company', 'Harbour');
  type('Email', 'frida@example.com');
  type('Password', 'Long-enough-1');
  fireEvent.click(screen.getByRole('checkbox'));
}

test('sign-up lists missing fields, checks off password rules, and sends the source of the visit', async () => {
  const calls = serve(({ path, method }) =>
    path === '/v1/users' && method === 'POST'
      ? respond({
          ...session,
          access_token: null,
          next: 'email_verification',
          verification_id: ID,
          email: 'frida@example.com',
        })
      : undefined,
  );
  drawApp('/register?utm_source=newsletter');
  await screen.findByRole('heading', { name: 'Create your account' });
  press('Create account');
  for (const label of ['First name', 'Last name', 'Company', 'Email', 'Password'])
    expect(await screen.findByText(`${label} is required!`)).toBeTruthy();
  expect(screen.getByText('Accept the terms to continue')).toBeTruthy();
  type('Password', 'longer1');
  expect(screen.getByText('One digit').dataset.met).toBe('true');
  expect(screen.getByText('At least 8 characters').dataset.met).toBeUndefined();
  fillSignUp();
  press('Create account');
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeTruthy();
  const call = calls.find(({ method }) => method === 'POST');
  expect(call?.headers.get('x-source')).toBe('newsletter');
  expect(call?.body).toMatchObject({ company_name: 'Harbour', terms: true, password: 'Long-enough-1' });
  expect(call?.body).not.toHaveProperty('industry_id');
});

test('sign-up offers providers but not passkeys', async () => {
  const calls = serve(({ path, method }) => {
    if (path === '/v1/social_providers') return respond([{ id: 'google', name: 'Google' }]);
    return method === 'POST' ? refuse(503, { code: 1003, message: 'The provider does not answer' }) : undefined;
  });
  drawApp('/sign-up');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  expect(await screen.findByText('The provider does not answer')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ provider: 'google', purpose: 'sign_in' });
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});

test.each([
  [1129, 'An account with this company name already exists', 'company_name', 'Company'],
  [1115, 'Choose another password', 'password', 'Password'],
])('sign-up shows problem %d under its field', async (code, message, field, label) => {
  serve(({ path }) => (path === '/v1/users' ? refuse(409, { code, message, field }) : undefined));
  drawApp('/sign-up');
  await screen.findByRole('heading', { name: 'Create your account' });
  fillSignUp();
  press('Create account');
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
});

test.each([
  [409, 1133, 'A user with this phone number already exists', 'phone_number'],
  [403, 1137, 'The account cannot be created. Contact support.', undefined],
  [403, 1002, 'The account cannot be created. Contact support.', undefined],
])(
  'sign-up shows an error with status %d and code %d above the form when no form field applies',
  async (status, code, message, field) => {
    serve(({ path }) =>
      path === '/v1/users' ? refuse(status, { code, message, ...(field ? { field } : {}) }) : undefined,
    );
    drawApp('/sign-up');
    await screen.findByRole('heading', { name: 'Create your account' });
    fillSignUp();
    press('Create account');
    expect((await screen.findByText(message)).getAttribute('role')).toBe('alert');
    expect((screen.getByLabelText('First name') as HTMLInputElement).value).toBe('Frida');
  },
);

test('a code can be pasted with surrounding text and opens the phone step', async () => {
  const calls = serve(({ path }) =>
    path === `/v1/email_verifications/${ID}` ? respond({ ...session, purpose: 'sign_up', hash: null }) : undefined,
  );
  drawApp(`/email-verification/${ID}?username=frida@example.com`);
  await screen.findByRole('heading', { name: 'Check your email' });
  type('Code', 'Your code is 123-456.');
  expect((screen.getByLabelText('Code') as HTMLInputElement).value).toBe('123456');
  press('Confirm');
  expect(await screen.findByRole('heading', { name: 'Verify your phone number' })).toBeTruthy();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ code: '123456' });
  expect(readToken()).toBe('fresh');
});

test('a code from a link is not submitted until the user confirms', async () => {
  const calls = serve(({ path }) =>
    path === `/v1/email_verifications/${ID}` ? respond({ ...session, purpose: 'sign_up', hash: null }) : undefined,
  );
  drawApp(`/email-verification/${ID}/654321`);
  await screen.findByText(/Select Confirm to continue/);
  expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(0);
  press('Confirm');
  await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ code: '654321' }));
});

test('a new code can be requested after the wait and replaces the previous one', async () => {
  let count = 0;
  serve(({ path }) => {
    if (path !== '/v1/email_verifications') return undefined;
    count += 1;
    return count === 1 ? refuse(409, { code: 1167, message: 'A code was just sent' }) : respond(makeVerification());
  });
  drawApp('/email-verification/0197a5f0-0000-7000-8000-0000000000bb?username=frida@example.com');
  await screen.findByRole('heading', { name: 'Check your email' });
  press('Send a new code');
  expect(await screen.findByText('A code was just sent')).toBeTruthy();
  press('Send a new code');
  expect(await screen.findByRole('button', { name: /^Send a new code in \d+ s$/ })).toBeTruthy();
  expect(window.location.pathname).toBe(`/email-verification/${ID}`);
});

test('a forgotten password is reset with the emailed code', async () => {
  serve(({ path }) => {
    if (path === '/v1/password_resets') return respond(makeVerification());
    if (path === `/v1/email_verifications/${ID}`)
      return respond({ ...session, access_token: null, purpose: 'password_reset', hash: SECRET });
    if (path === `/v1/password_resets/${SECRET}`) return new Response(null, { status: 204 });
    return undefined;
  });
  drawApp('/forgot-password');
  await screen.findByRole('heading', { name: 'Forgot your password?' });
  type('Email', 'dana@example.com');
  press('Send code');
  expect(await screen.findByText(/is registered, you will get an email/)).toBeTruthy();
  type('Code', '123456');
  press('Confirm');
  await screen.findByRole('heading', { name: 'Choose a new password' });
  type('New password', 'Another-one-2');
  press('Change password');
  expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeTruthy();
});

test('a used link shows that it no longer works and offers a new one', async () => {
  serve(({ path }) =>
    path.startsWith('/v1/password_resets/') ? refuse(410, { code: 1140, message: 'x' }) : undefined,
  );
  drawApp(`/reset-password/${SECRET}`);
  await screen.findByRole('heading', { name: 'Choose a new password' });
  type('New password', 'Another-one-2');
  press('Change password');
  expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/forgot-password');
});

test('the phone step shows problem 1802 under the number and saves the code step for a reload', async () => {
  let isTaken = true;
  serve(({ path }) => {
    if (path !== '/v1/phone_verifications') return undefined;
    return isTaken
      ? refuse(409, { code: 1802, message: 'Another profile has this phone number', field: 'phone_number' })
      : respond(makeVerification());
  });
  const view = drawApp('/', { signedIn: true });
  await screen.findByRole('heading', { name: 'Verify your phone number' });
  expect(window.location.pathname).toBe('/phone-verification');
  type('Phone number', '+4917604069014');
  press('Send code');
  expect(await screen.findByText('Another profile has this phone number')).toBeTruthy();
  isTaken = false;
  type('Phone number', '+4917604069015');
  press('Send code');
  expect(await screen.findByRole('heading', { name: 'Enter the code' })).toBeTruthy();
  view.unmount();
  const stored = { ...sessionStorage } as Record<string, string>;
  expect(JSON.parse(stored['parley.phone_code'] ?? '{}')).toEqual({ id: ID, phone_number: '+4917604069015' });
  expect(window.location.search).toBe('?step=code');
});
