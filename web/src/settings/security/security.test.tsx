import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { takeFragment } from '../../auth/sign_in/fragment.ts';
import { type Call, draw, refuse, respond, type Stub, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import SecurityPage from './SecurityPage.tsx';

afterEach(() => vi.unstubAllGlobals());

const DATE = '2026-01-02 10:00:00';
const FACTORS = {
  has_password: true,
  totp: false,
  totp_date: null,
  recovery_codes_left: 0,
  passkeys: 0,
  required: false,
};
const SESSION = {
  id: 'a',
  current: true,
  company_name: 'Harbour Coffee',
  method: 'password',
  second_factor: false,
  agent: 'x',
  device: 'Chrome on Linux',
  address: '203.0.113.7',
  create_date: DATE,
  last_used_date: DATE,
  expire_date: DATE,
};
const CODES = Array.from({ length: 10 }, (_, index) => `code-${index}`);

function serve({ factors = {}, user = {}, stub = (() => undefined) as Stub } = {}): Call[] {
  const session = sessionStub();
  return stubApi(async (call) => {
    const response = await stub(call);
    if (response) return response;
    const at = `${call.method} ${call.path.replace('/v1/users/self', '')}`;
    if (at === 'GET ') return respond({ ...USER, ...user });
    if (at === 'GET /second_factors') return respond({ ...FACTORS, ...factors });
    if (at === 'GET /passkeys' || at === 'GET /social_networks') return respond([]);
    if (at === 'GET /sessions')
      return respond([{ ...SESSION, id: 'b', current: false, device: 'Safari on iPhone' }, SESSION]);
    return session(call);
  });
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
/**
 * Submits the form. The search for the button is limited to the form, because the page can have another button with
 * the same name.
 */
const prove = (form: string, name = form) =>
  fireEvent.click(within(screen.getByRole('form', { name: form })).getByRole('button', { name }));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('authenticator setup asks for the password, shows a QR code, and shows the recovery codes once', async () => {
  const calls = serve({
    stub: ({ method, path }) => {
      if (path !== '/v1/users/self/totp') return undefined;
      return method === 'POST'
        ? respond({ secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Parley:dana?secret=ABCDEFGHIJKLMNOP' })
        : respond({ recovery_codes: CODES });
    },
  });
  await draw(SecurityPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Set up' }));
  press('Continue');
  expect(await screen.findByText('Password is required!')).toBeTruthy();
  type('Your password', 'Secret-123');
  press('Continue');
  const picture = await screen.findByRole('img', { name: /QR code/ });
  expect(picture.querySelector('path')?.getAttribute('d')).toMatch(/^M3 3h7v1H3z/);
  expect(screen.getByRole('button', { name: /Copy secret ABCD EFGH IJKL MNOP/ })).toBeTruthy();
  type('Code', '12 34 56');
  press('Confirm');
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(10);
  expect(screen.getByRole('button', { name: 'Done' }).getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByLabelText('I have saved these codes'));
  press('Done');
  await waitFor(() => expect(screen.queryByText('code-0')).toBeNull());
  const [setup, confirmation] = calls.filter(({ path }) => path.endsWith('/totp'));
  expect(setup?.body).toEqual({ current_password: 'Secret-123' });
  expect(confirmation?.body).toEqual({ code: '123456' });
});

test('the last factor cannot be removed when the account requires 2FA', async () => {
  serve({ factors: { totp: true, totp_date: DATE, recovery_codes_left: 3, required: true } });
  await draw(SecurityPage);
  expect(await screen.findByText('3 of 10 recovery codes are left.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Remove' }).getAttribute('aria-disabled')).toBe('true');
});

test('the security page explains required 2FA and lists it first', async () => {
  serve({ user: { pending: 'second_factor' }, factors: { required: true } });
  await draw(SecurityPage);
  expect(await screen.findByText(/Your account requires two-factor authentication/)).toBeTruthy();
  const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);
  expect(titles[0]).toBe('Authenticator app');
});

test('the password form flags a wrong current password and omits that field for users without one', async () => {
  serve({
    stub: ({ path }) =>
      path === '/v1/users/self/password'
        ? refuse(400, { code: 1126, message: 'The current password is incorrect', field: 'current_password' })
        : undefined,
  });
  const { view } = await draw(SecurityPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Change password' }));
  type('Current password', 'wrong');
  type('New password', 'Strong-enough-1');
  press('Change password');
  expect(await screen.findByText('The current password is incorrect')).toBeTruthy();
  view.unmount();
  serve({ user: { has_password: false } });
  await draw(SecurityPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Set password' }));
  expect(screen.queryByLabelText('Current password')).toBeNull();
});

test('a new email address is confirmed with a code', async () => {
  const id = '0197a5f0-0000-7000-8000-0000000000aa';
  const calls = serve({
    stub: ({ method, path }) => {
      if (!path.startsWith('/v1/users/self/email_changes')) return undefined;
      return method === 'POST'
        ? respond({ id, expire_date: DATE, resend_date: DATE })
        : new Response(null, { status: 204 });
    },
  });
  await draw(SecurityPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Change email' }));
  type('New email', 'nonsense');
  type('Your password', 'Secret-123');
  press('Send code');
  expect(await screen.findByText('Email is not a valid email!')).toBeTruthy();
  type('New email', 'dana@new.example');
  press('Send code');
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } });
  press('Change email');
  expect(await screen.findByText('You now sign in with dana@new.example')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'PUT')?.path).toBe(`/v1/users/self/email_changes/${id}`);
});

const PROOF_REQUIRED = { code: 1126, message: 'The current password is incorrect', field: 'current_password' };

test('a passkey is removed after re-authentication when the server requires it', async () => {
  let list = [{ id: 'k', name: 'Laptop', create_date: DATE, last_used_date: null }];
  const removals: Call[] = [];
  serve({
    stub: (call) => {
      if (call.method === 'GET' && call.path.endsWith('/passkeys')) return respond(list);
      if (!call.path.endsWith('/passkeys/k/removals')) return undefined;
      removals.push(call);
      const { current_password } = call.body as { current_password?: string };
      if (current_password !== 'Secret-123') return refuse(400, PROOF_REQUIRED);
      list = [];
      return new Response(null, { status: 204 });
    },
  });
  await draw(SecurityPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Laptop' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove passkey' }));
  expect(await screen.findByText(/You signed in a while ago/)).toBeTruthy();
  expect(screen.queryByText(PROOF_REQUIRED.message)).toBeNull();
  const field = screen.getByLabelText('Your password');
  prove('Remove passkey');
  expect(await screen.findByText('Password is required!')).toBeTruthy();
  fireEvent.change(field, { target: { value: 'wrong' } });
  prove('Remove passkey');
  expect(await screen.findByText(PROOF_REQUIRED.message)).toBeTruthy();
  fireEvent.change(field, { target: { value: 'Secret-123' } });
  prove('Remove passkey');
  expect(await screen.findByText('You have no passkeys yet.')).toBeTruthy();
  expect(screen.queryByLabelText('Your password')).toBeNull();
  expect(removals.map(({ body }) => body)).toEqual([
    {},
    { current_password: 'wrong' },
    { current_password: 'Secret-123' },
  ]);
});

test('connecting a provider reuses its token after re-authentication', async () => {
  window.history.replaceState(null, '', '/settings/security#social_token=from-the-provider');
  takeFragment();
  expect(window.location.hash).toBe('');
  let connected = false;
  const google = { provider: 'google', name: 'Google', email: 'dana@mail.example', connect_date: DATE };
  const calls = serve({
    stub: ({ method, path, body }) => {
      if (!path.endsWith('/social_networks')) return undefined;
      if (method === 'GET') return respond([{ ...google, connected }]);
      if (!(body as { current_password?: string }).current_password) return refuse(400, PROOF_REQUIRED);
      connected = true;
      return new Response(null, { status: 204 });
    },
  });
  await draw(SecurityPage);
  const field = await screen.findByLabelText('Your password');
  expect(screen.getByText('Not connected')).toBeTruthy();
  fireEvent.change(field, { target: { value: 'Secret-123' } });
  press('Connect');
  expect(await screen.findByText(/dana@mail.example, since/)).toBeTruthy();
  expect(screen.queryByLabelText('Your password')).toBeNull();
  const puts = calls.filter(({ method }) => method === 'PUT');
  expect(puts.map(({ headers }) => headers.get('x-social-token'))).toEqual(['from-the-provider', 'from-the-provider']);
});

test('disconnecting a provider requires re-authentication, and canceling keeps it connected', async () => {
  let connected = true;
  const google = { provider: 'google', name: 'Google', email: 'dana@mail.example', connect_date: DATE };
  serve({
    stub: ({ method, path, body }) => {
      if (!path.includes('/social_networks')) return undefined;
      if (method === 'GET') return respond([{ ...google, connected }]);
      if (!(body as { current_password?: string }).current_password) return refuse(400, PROOF_REQUIRED);
      connected = false;
      return new Response(null, { status: 204 });
    },
  });
  await draw(SecurityPage);
  const begin = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Disconnect Google' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disconnect' }));
    return screen.findByLabelText('Your password');
  };
  await begin();
  prove('Disconnect', 'Cancel');
  await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull());
  expect(connected).toBe(true);
  fireEvent.change(await begin(), { target: { value: 'Secret-123' } });
  prove('Disconnect');
  expect(await screen.findByText('Not connected')).toBeTruthy();
});

test('a user without a password re-authenticates with an authenticator code', async () => {
  const calls = serve({
    user: { has_password: false },
    factors: { has_password: false, totp: true, totp_date: DATE, recovery_codes_left: 9 },
    stub: ({ path, body }) => {
      if (!path.endsWith('/recovery_codes')) return undefined;
      return (body as { factor_code?: string }).factor_code
        ? respond({ recovery_codes: CODES })
        : refuse(400, { code: 1126, message: 'Confirm it’s you', field: 'factor_code' });
    },
  });
  await draw(SecurityPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Generate new codes' }));
  press('Generate new codes');
  const field = await screen.findByLabelText('Authenticator code or recovery code');
  expect(screen.queryByText('Confirm it’s you')).toBeNull();
  fireEvent.change(field, { target: { value: '123456' } });
  press('Generate new codes');
  expect(await screen.findByText('code-0')).toBeTruthy();
  expect(calls.filter(({ path }) => path.endsWith('/recovery_codes')).map(({ body }) => body)).toEqual([
    {},
    { factor_code: '123456' },
  ]);
});

test('the session list starts with the current session and can end one or all of the others', async () => {
  const calls = serve({
    stub: ({ method, path }) => {
      if (method !== 'DELETE') return undefined;
      return path.endsWith('/sessions') ? respond({ ended: 1 }) : new Response(null, { status: 204 });
    },
  });
  await draw(SecurityPage);
  const rows = within(await screen.findByRole('list', { name: 'Sessions' })).getAllByRole('listitem');
  expect(rows[0]?.textContent).toMatch(/Chrome on Linux.*This session/);
  press('End the session on Safari on iPhone');
  await waitFor(() => expect(calls.some(({ path }) => path === '/v1/users/self/sessions/b')).toBe(true));
  press('Sign out everywhere else');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out everywhere else' }));
  expect(await screen.findByText('1 session ended')).toBeTruthy();
});

test('the security page is closed in an entered account and does not load any data', async () => {
  const calls = serve({
    user: { impersonation: { operator_name: 'Op', reason: 'x', expire_date: DATE, kind: 'operator' } },
  });
  await draw(SecurityPage);
  expect(await screen.findByText('Not available while you act as another user.')).toBeTruthy();
  expect(calls.some(({ path }) => path.endsWith('/second_factors'))).toBe(false);
});
