import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readToken } from '../../kernel/http/token.ts';
import { drawApp } from '../../test/app.tsx';
import { ACCOUNT, type Call, refuse, respond, type Stub, stubApi, USER } from '../../test/draw.tsx';
import { clearFragment, takeFragment } from './fragment.ts';
import { clearFactor, storeSocial } from './outcome.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  clearFragment();
  clearFactor();
  storeSocial(null);
  window.history.replaceState(null, '', '/');
});

const ID = '0197a5f0-0000-7000-8000-0000000000aa';
const signedIn = {
  access_token: 'fresh',
  expire_date: null,
  next: null,
  verification_id: null,
  methods: [],
  email: '',
};
const next = (step: string, fields: object = {}) => ({ ...signedIn, access_token: null, next: step, ...fields });

const people: Stub = ({ path }) => {
  if (path === '/v1/users/self') return respond({ ...USER, pending: 'phone' });
  if (path === '/v1/accounts/self') return respond(ACCOUNT);
  if (path === '/v1/social_providers') return respond([{ id: 'google', name: 'Google' }]);
  if (path === '/v1/events') return new Promise(() => {});
  return undefined;
};
const serve = (stub: Stub): Call[] => stubApi(async (call) => (await stub(call)) ?? people(call));
const TOKEN = '/v1/users/self/token';

async function fill(email = 'dana@example.com', password = 'Secret-123') {
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: email } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.submit(screen.getByRole('form', { name: 'Sign in' }));
}

test('sign-in does not send a request until both fields are valid', async () => {
  const calls = serve(() => undefined);
  drawApp('/login');
  fireEvent.submit(await screen.findByRole('form', { name: 'Sign in' }));
  expect(await screen.findByText('Email is required!')).toBeTruthy();
  expect(screen.getByText('Password is required!')).toBeTruthy();
  await fill('nonsense');
  expect(await screen.findByText('Email is not a valid email!')).toBeTruthy();
  expect(calls.some(({ path }) => path === TOKEN)).toBe(false);
  expect(window.location.pathname).toBe('/sign-in');
});

test.each([
  [401, 1120, 'Wrong email or password'],
  [429, 1121, /temporarily blocked after too many failed attempts/],
  [403, 1135, /temporarily blocked, please contact the support address at localhost/],
  [403, 1145, /This account is closed. Contact support at/],
])('sign-in explains the problem when it is rejected with status %d and code %d', async (status, code, text) => {
  serve(({ path }) => (path === TOKEN ? refuse(status, { code, message: 'x' }) : undefined));
  drawApp('/sign-in');
  await fill();
  expect((await screen.findByRole('alert')).textContent).toMatch(text);
  expect(readToken()).toBeNull();
});

test('two-factor sign-in rejects a wrong code, accepts a recovery code, and opens the pending step', async () => {
  let code = 0;
  const calls = serve(({ path, method }) => {
    if (path === TOKEN)
      return respond(next('login_verification', { verification_id: ID, methods: ['totp', 'recovery_code'] }));
    if (path !== `/v1/login_verifications/${ID}` || method !== 'PUT') return undefined;
    code += 1;
    return code === 1
      ? refuse(400, { code: 1147, message: 'The code is not valid', field: 'code' })
      : respond(signedIn);
  });
  drawApp('/sign-in');
  await fill();
  const field = await screen.findByLabelText('Code');
  expect(field.getAttribute('autocomplete')).toBe('one-time-code');
  fireEvent.change(field, { target: { value: '123 456' } });
  fireEvent.submit(screen.getByRole('form', { name: 'Two-factor authentication' }));
  expect(await screen.findByText('The code is not valid')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  fireEvent.change(await screen.findByLabelText('Recovery code'), { target: { value: 'abcd-efgh-ijkl' } });
  fireEvent.submit(screen.getByRole('form', { name: 'Two-factor authentication' }));
  expect(await screen.findByRole('heading', { name: 'Verify your phone number' })).toBeTruthy();
  const bodies = calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(bodies).toEqual([
    { method: 'totp', code: '123456' },
    { method: 'recovery_code', code: 'abcd-efgh-ijkl' },
  ]);
  expect(readToken()).toBe('fresh');
});

test('a user with an unconfirmed email is sent to the confirmation step', async () => {
  serve(({ path }) =>
    path === TOKEN
      ? respond(next('email_verification', { verification_id: ID, email: 'dana@example.com' }))
      : undefined,
  );
  drawApp('/sign-in');
  await fill();
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeTruthy();
  expect(window.location.pathname).toBe(`/email-verification/${ID}`);
  expect(screen.getByText('dana@example.com')).toBeTruthy();
});

test('a provider token is removed from the URL, and an unknown user gets a prefilled sign-up form', async () => {
  window.history.replaceState(null, '', '/sign-in#social_token=one-use');
  takeFragment();
  expect(window.location.href).not.toContain('one-use');
  const calls = serve(({ path, method }) =>
    path === TOKEN && method === 'POST'
      ? respond({ ...next('sign_up', { email: 'new@example.com' }), first_name: 'Nora', last_name: 'New' })
      : undefined,
  );
  drawApp('/sign-in');
  expect(await screen.findByRole('heading', { name: 'Create your account' })).toBeTruthy();
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('new@example.com');
  expect((screen.getByLabelText('First name') as HTMLInputElement).value).toBe('Nora');
  expect(screen.queryByLabelText('Password')).toBeNull();
  expect(calls.find(({ method }) => method === 'POST')?.headers.get('x-social-token')).toBe('one-use');
});

test('an existing user is connected to the provider after entering their password', async () => {
  window.history.replaceState(null, '', '/sign-in#social_token=one-use');
  takeFragment();
  const calls = serve(({ path, method }) => {
    if (path === '/v1/users/self/social_networks') return new Response(null, { status: 204 });
    if (path !== TOKEN) return undefined;
    return method === 'POST'
      ? respond({ ...next('link', { email: 'dana@example.com' }), first_name: '', last_name: '' })
      : respond(signedIn);
  });
  drawApp('/sign-in');
  expect(await screen.findByRole('heading', { name: 'Connect your sign-in provider' })).toBeTruthy();
  expect((screen.getByLabelText('Email') as HTMLInputElement).readOnly).toBe(true);
  await fill();
  await waitFor(() => {
    const update = calls.find(({ method }) => method === 'PUT');
    expect(update?.headers.get('x-social-token')).toBe('one-use');
    expect(update?.headers.get('authorization')).toBe('Bearer fresh');
  });
});

test('the sign-in page shows an error from the provider', async () => {
  window.history.replaceState(null, '', '/sign-in#social_error=access_denied');
  takeFragment();
  serve(() => undefined);
  drawApp('/sign-in');
  expect((await screen.findByRole('alert')).textContent).toBe('Sign-in with the provider was canceled.');
});

test('a rate limit on a public page shows a toast but no form error', async () => {
  serve(({ path }) => (path === TOKEN ? refuse(429, { code: 1999, message: 'Limit exceeded' }) : undefined));
  drawApp('/sign-in');
  await fill();
  expect(await screen.findAllByText('Too many requests')).toHaveLength(1);
  expect(screen.queryByText('Limit exceeded')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeTruthy();
});

test('a user who is blocked during a session is signed out and sees the reason', async () => {
  serve(({ path }) => {
    if (path === '/v1/users/self') return respond(USER);
    return path === '/v1/audiences' ? refuse(403, { code: 1135, message: 'x' }) : undefined;
  });
  drawApp('/contacts/my-audiences?page=2', { signedIn: true });
  const { host } = window.location;
  const text = `Your user is temporarily blocked, please contact the support address at ${host} for more information.`;
  const notice = await screen.findByText(text);
  expect(notice.getAttribute('role')).toBe('alert');
  expect(window.location.pathname + window.location.search).toBe('/sign-in');
  expect(readToken()).toBeNull();
});

test('an invalid impersonation key shows an error and does not change the session of the tab', async () => {
  const key = 'no-good';
  const calls = serve(({ path }) => {
    if (path === '/v1/users/self') return respond(USER);
    return path === `/v1/auth_sessions/${key}`
      ? refuse(403, { code: 1152, message: 'Session is no valid anymore' })
      : undefined;
  });
  drawApp('/', { signedIn: true, session_id: key });
  expect(await screen.findByText('Session is no valid anymore')).toBeTruthy();
  await waitFor(() => expect(calls.some(({ path }) => path === '/v1/users/self')).toBe(true));
  expect(screen.queryByRole('form', { name: 'Sign in' })).toBeNull();
  expect(readToken()).toBe('test-token');
});
