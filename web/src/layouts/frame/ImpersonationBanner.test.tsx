/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exchangeSessionId, takeSessionId } from '../../kernel/http/entry.ts';
import { clearImpersonationToken, readToken, writeImpersonationToken } from '../../kernel/http/token.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { ACCOUNT, type Call, draw, refuse, respond, stubApi, USER } from '../../test/draw.tsx';
import ImpersonationBanner, { timeLeft } from './ImpersonationBanner.tsx';

const wire = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const impersonation = {
  operator_name: 'Olive Marlow',
  reason: 'Ticket 4711',
  expire_date: wire(Date.now() + 20 * 60_000),
  kind: 'operator',
} as const;

let calls: Call[];
beforeEach(() => {
  calls = stubApi(({ path, method, headers }) => {
    const isOwnToken = headers.get('authorization') === 'Bearer test-token';
    if (path === '/v1/users/self') return respond({ ...USER, impersonation: isOwnToken ? null : impersonation });
    if (path === '/v1/accounts/self') return respond(ACCOUNT);
    if (path === '/v1/events') return new Promise(() => {});
    if (method === 'DELETE' && path === '/v1/auth_sessions/self') return new Response(null, { status: 204 });
    if (path === '/v1/auth_sessions/good')
      return respond({ access_token: 'theirs', expire_date: impersonation.expire_date });
    if (path === '/v1/auth_sessions/busy') return refuse(429, { code: 1999, message: 'Limit exceeded' });
    if (path.startsWith('/v1/auth_sessions/'))
      return refuse(403, { code: 1152, message: 'Session is no valid anymore' });
    return undefined;
  });
  vi.spyOn(window, 'close').mockImplementation(() => {});
});
afterEach(() => {
  clearImpersonationToken();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

function Page() {
  const { state } = useSessionContext();
  const impersonation = state.kind === 'in' ? state.session.user.impersonation : null;
  return impersonation ? <ImpersonationBanner impersonation={impersonation} /> : <p>My own</p>;
}

test('the banner shows the operator, user, reason, and time left, and Leave ends the impersonation', async () => {
  writeImpersonationToken('theirs');
  await draw(Page);
  const banner = await screen.findByRole('region', { name: /acting as another user/ });
  expect(banner.textContent).toContain('Olive Marlow (operator) in Harbour Coffee');
  expect(banner.textContent).toContain('as Dana Quill · Ticket 4711');
  expect(screen.getByRole('timer', { name: 'Time left' }).textContent).toMatch(/^(20:00|19:5\d)$/);
  expect(document.documentElement.dataset.impersonated).toBe('');
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('My own')).toBeTruthy();
  const endCall = await waitFor(() => {
    const request = calls.find(({ method }) => method === 'DELETE');
    if (!request) throw new Error('not yet');
    return request;
  });
  expect([endCall.path, endCall.headers.get('authorization')]).toEqual(['/v1/auth_sessions/self', 'Bearer theirs']);
  expect(readToken()).toBe('test-token');
  await waitFor(() => expect(window.close).toHaveBeenCalled());
  expect(document.documentElement.dataset.impersonated).toBeUndefined();
});

test('an ended impersonated session shows a notice and returns to the operator’s own session', async () => {
  writeImpersonationToken('theirs');
  stubApi(({ path, headers }) => {
    if (headers.get('authorization') === 'Bearer theirs') return refuse(401, { code: 1101, message: 'Sign in again' });
    if (path === '/v1/users/self') return respond(USER);
    return path === '/v1/accounts/self' ? respond(ACCOUNT) : new Promise(() => {});
  });
  await draw(Page);
  expect(await screen.findByText('My own')).toBeTruthy();
  expect(await screen.findByText('Session is no valid anymore')).toBeTruthy();
  expect(readToken()).toBe('test-token');
});

test('the key is removed from the URL without changing the rest of it', () => {
  window.history.replaceState({ kept: true }, '', '/inbox?page=2&session_id=good#top');
  expect(takeSessionId()).toBe('good');
  expect(window.location.href).toMatch(/\/inbox\?page=2#top$/);
  expect(window.history.state).toEqual({ kept: true });
  expect(takeSessionId()).toBeNull();
});

test('the key is exchanged only once, even for concurrent requests', async () => {
  const results = await Promise.all([exchangeSessionId('good'), exchangeSessionId('good')]);
  expect(results).toEqual([
    { kind: 'entered', access_token: 'theirs' },
    { kind: 'entered', access_token: 'theirs' },
  ]);
  expect(calls).toHaveLength(1);
  expect(await exchangeSessionId('spent')).toEqual({ kind: 'rejected' });
  expect(await exchangeSessionId('busy')).toEqual({ kind: 'limited' });
});

test.each([
  [90_000, '1:30'],
  [59_001, '1:00'],
  [3_840_000, '1:04:00'],
  [-5, '0:00'],
])('a remaining time of %i ms is shown as %s', (ms, text) => expect(timeLeft(wire(0), -ms)).toBe(text));
