import { Button } from '@mantine/core';
import { getAccount } from '@parley/contract/accounts/accounts.ts';
import { listAudiences, removeAudience } from '@parley/contract/audiences/audiences.ts';
import { changePassword } from '@parley/contract/auth/sessions.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useSwitchCompany } from '../../accounts/switch.ts';
import { draw, refuse, respond, type Stub, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import { call } from '../http/client.ts';
import { useAction, useEndpoint } from '../http/query.ts';
import {
  clearToken,
  readToken,
  rememberLocation,
  renewToken,
  safePath,
  takeLocation,
  writeToken,
} from '../http/token.ts';
import { useReason, useSessionContext } from './session.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  window.history.replaceState(null, '', '/');
});

const ONE_PAGE = { number: 1, size: 10, total: 0, links: { first: '', current: '', previous: null, next: null } };
const withSession = (stub: Stub): Stub => {
  const session = sessionStub();
  return async (call) => (await stub(call)) ?? session(call);
};

function Page() {
  const audiences = useEndpoint(listAudiences);
  const remove = useAction(removeAudience);
  return (
    <>
      <p>{audiences.error?.message}</p>
      <Button onClick={() => remove.mutate({ params: { id: 'a' } })}>Remove</Button>
    </>
  );
}

function Later() {
  const { error, refetch } = useEndpoint(getAccount);
  return (
    <>
      <p>{error?.message}</p>
      <Button onClick={() => void refetch()}>Once more</Button>
    </>
  );
}
function Switching() {
  const change = useSwitchCompany();
  return (
    <Button onClick={() => change.switchTo({ user_id: 'u2', company_name: 'Harbour', relation: 'member' })}>
      Switch
    </Button>
  );
}

function SignOut() {
  const { signOut } = useSessionContext();
  return <Button onClick={() => void signOut()}>Sign out</Button>;
}
const Closed = () => <p>{useReason('KEYS:view')}</p>;

test('a 429 during startup shows the limit page and does not sign the user out', async () => {
  stubApi(() => refuse(429, { code: 1999, message: 'Limit exceeded' }));
  await draw(Page);
  expect(screen.getByTestId('session').textContent).toBe('limited');
  expect(readToken()).toBe('test-token');
});

test('an invalid token is removed', async () => {
  stubApi(() => refuse(401, { code: 1101, message: 'Sign in again' }));
  await draw(Page);
  expect(screen.getByTestId('session').textContent).toBe('out');
  expect(readToken()).toBeNull();
});

test('a 401 from a later call signs the user out and remembers the location', async () => {
  window.history.replaceState(null, '', '/contacts/my-audiences?page=2');
  stubApi(
    withSession(({ path }) => (path === '/v1/audiences' ? refuse(401, { code: 1101, message: 'x' }) : undefined)),
  );
  await draw(Page);
  expect((await screen.findByTestId('session')).textContent).toBe('out');
  expect(readToken()).toBeNull();
  expect(takeLocation()).toBe('/contacts/my-audiences?page=2');
  expect(takeLocation()).toBeNull();
});

test('a 429 from a later call shows a toast and keeps the page', async () => {
  let isLimited = false;
  stubApi(withSession(() => (isLimited ? refuse(429, { code: 1999, message: 'Limit exceeded' }) : undefined)));
  await draw(Later);
  isLimited = true;
  fireEvent.click(screen.getByRole('button', { name: 'Once more' }));
  expect(await screen.findAllByText('Too many requests')).toHaveLength(1);
  expect(await screen.findByText('Limit exceeded')).toBeTruthy();
  expect(screen.queryByTestId('session')).toBeNull();
  expect(readToken()).toBe('test-token');
});

test('a user who is blocked in another company stays in the current one and sees an error', async () => {
  stubApi(
    withSession(({ path }) =>
      path === '/v1/users/u2/token' ? refuse(403, { code: 1135, message: 'This user is blocked' }) : undefined,
    ),
  );
  await draw(Switching);
  fireEvent.click(screen.getByRole('button', { name: 'Switch' }));
  expect(await screen.findByText('This user is blocked')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Switch' })).toBeTruthy();
  expect(screen.queryByTestId('session')).toBeNull();
  expect(readToken()).toBe('test-token');
});

test('a blocked user is signed out', async () => {
  stubApi(
    withSession(({ path }) => (path === '/v1/audiences' ? refuse(403, { code: 1135, message: 'x' }) : undefined)),
  );
  await draw(Page);
  expect((await screen.findByTestId('session')).textContent).toBe('out');
});

test('a 403 for a missing permission does not sign the user out', async () => {
  stubApi(
    withSession(({ path }) => (path === '/v1/audiences' ? refuse(403, { code: 1136, message: 'No' }) : undefined)),
  );
  await draw(Page);
  expect(await screen.findByText('No')).toBeTruthy();
  expect(readToken()).toBe('test-token');
});

test('sign-out is immediate, ends the session on the server, and remembers the location', async () => {
  window.history.replaceState(null, '', '/insights?page=2');
  const calls = stubApi(
    withSession(({ method }) => (method === 'DELETE' ? new Response(null, { status: 204 }) : undefined)),
  );
  await draw(SignOut);
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  expect((await screen.findByTestId('session')).textContent).toBe('out');
  expect(readToken()).toBeNull();
  await waitFor(() => {
    const request = calls.find(({ path }) => path === '/v1/users/self/token');
    expect(request?.headers.get('authorization')).toBe('Bearer test-token');
  });
  expect(takeLocation()).toBe('/insights?page=2');
});

test('a sign-out removes opened records and unsaved input, but keeps preferences', async () => {
  stubApi(withSession(({ method }) => (method === 'DELETE' ? new Response(null, { status: 204 }) : undefined)));
  await draw(SignOut);
  localStorage.setItem('parley.recent.1', '[]');
  localStorage.setItem('parley.verification.1', '{}');
  localStorage.setItem('parley.color_scheme', 'dark');
  sessionStorage.setItem('parley.typed.1.note', '{}');
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  expect((await screen.findByTestId('session')).textContent).toBe('out');
  const kept = [localStorage, sessionStorage].flatMap((storage) =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index)),
  );
  expect(kept.filter((key) => /recent|typed|verification/.test(key!))).toEqual([]);
  expect(localStorage.getItem('parley.color_scheme')).toBe('dark');
});

test('a request after sign-out is aborted', async () => {
  const calls = stubApi(sessionStub());
  writeToken('test-token');
  await call(getAccount, {}, { signal: new AbortController().signal });
  expect(calls.map(({ path }) => path)).toEqual(['/v1/accounts/self']);
  clearToken();
  const request = call(getAccount, {}, { signal: new AbortController().signal });
  await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  expect(calls).toHaveLength(1);
});

test('a password change renews the token and repeats requests made with the old one', async () => {
  let validToken = 'test-token';
  let hold: (() => void) | null = null;
  const session = sessionStub();
  const calls = stubApi(async (call) => {
    if (call.path === '/v1/users/self/password') {
      validToken = 'new-token';
      return respond({ access_token: validToken, expire_date: '2030-01-01 00:00:00' });
    }
    // The request is pending while the password changes, and rejected once the old token is invalid.
    if (call.path === '/v1/audiences' && validToken === 'test-token')
      await new Promise<void>((resolve) => {
        hold = resolve;
      });
    if (call.path !== '/v1/events' && call.headers.get('authorization') !== `Bearer ${validToken}`)
      return refuse(401, { code: 1101, message: 'Sign in again' });
    return call.path === '/v1/audiences' ? respond([], ONE_PAGE) : session(call);
  });
  await draw(Page);
  await waitFor(() => expect(hold).not.toBeNull());
  await call(changePassword, { body: { current_password: 'Secret-123', password: 'Strong-enough-1' } });
  expect(readToken()).toBe('new-token');
  hold!();
  await waitFor(() =>
    expect(
      calls.filter(({ path }) => path === '/v1/audiences').map(({ headers }) => headers.get('authorization')),
    ).toEqual(['Bearer test-token', 'Bearer new-token']),
  );
  expect(screen.queryByTestId('session')).toBeNull();
});

test('another tab repeats rejected requests with the renewed token', async () => {
  let validToken = 'test-token';
  const session = sessionStub();
  const calls = stubApi((call) => {
    if (call.path !== '/v1/events' && call.headers.get('authorization') !== `Bearer ${validToken}`)
      return refuse(401, { code: 1101, message: 'Sign in again' });
    return session(call);
  });
  await draw(Later);
  // The other tab has requested the change, and the server has applied it.
  localStorage.setItem('parley.renewing', String(Date.now()));
  validToken = 'new-token';
  const before = calls.length;
  fireEvent.click(screen.getByRole('button', { name: 'Once more' }));
  await waitFor(() => expect(calls.length).toBe(before + 1));
  renewToken(validToken);
  localStorage.removeItem('parley.renewing');
  window.dispatchEvent(new StorageEvent('storage', { key: 'parley.token', newValue: validToken }));
  await waitFor(() => expect(calls.at(-1)?.headers.get('authorization')).toBe('Bearer new-token'));
  expect(screen.queryByTestId('session')).toBeNull();
  expect(screen.queryByText('Sign in again')).toBeNull();
  // A rejected token that was not renewed signs the user out.
  validToken = 'another token';
  fireEvent.click(screen.getByRole('button', { name: 'Once more' }));
  expect((await screen.findByTestId('session')).textContent).toBe('out');
});

test('a pending step closes everything that requires a permission', async () => {
  stubApi(
    withSession(({ path }) => (path === '/v1/users/self' ? respond({ ...USER, pending: 'second_factor' }) : undefined)),
  );
  await draw(Closed);
  expect(screen.getByText('Set up two-factor authentication first.')).toBeTruthy();
});

test('a token is neither stored nor read inside a frame', async () => {
  vi.spyOn(window, 'top', 'get').mockReturnValue({} as Window);
  writeToken('never');
  expect(localStorage.getItem('parley.token')).toBeNull();
  localStorage.setItem('parley.token', 'of another window');
  expect(readToken()).toBeNull();
  vi.restoreAllMocks();
});

test('a failed action shows one toast, which reads "Too many requests" for a 429', async () => {
  let status = 409;
  stubApi(
    withSession(({ method }) =>
      method === 'DELETE'
        ? status === 409
          ? refuse(409, { code: 1319, message: 'The audience is in use' })
          : refuse(429, { code: 1999, message: 'Limit exceeded' })
        : undefined,
    ),
  );
  await draw(Page);
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findAllByText('The audience is in use')).toHaveLength(1);
  status = 429;
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findAllByText('Too many requests')).toHaveLength(1);
  await waitFor(() => expect(screen.queryByText('Limit exceeded')).toBeNull());
});

test.each([
  ['/inbox?x=1', '/inbox?x=1'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://evil.example', null],
  ['javascript:alert(1)', null],
  ['', null],
])('the safe path for "%s" is %s', (text, path) => {
  expect(safePath(text)).toBe(path);
});

test('a location is remembered for 24 hours unless it is a sign-in page', () => {
  window.history.replaceState(null, '', '/sign-in');
  rememberLocation();
  expect(takeLocation()).toBeNull();
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/inbox');
  rememberLocation();
  vi.advanceTimersByTime(24 * 3_600_000 + 1);
  expect(takeLocation()).toBeNull();
});
