/** Tests closed pages in the whole app: their reasons, links, and titles. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../../test/app.tsx';
import { ACCOUNT, respond, type Stub, sessionStub, stubApi, USER } from '../../test/draw.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const as = (user: Partial<typeof USER>, account: Partial<typeof ACCOUNT> = {}) => {
  const session = sessionStub();
  const stub: Stub = (call) => {
    if (call.path === '/v1/users/self') return respond({ ...USER, ...user });
    if (call.path === '/v1/accounts/self') return respond({ ...ACCOUNT, ...account });
    return session(call);
  };
  return stubApi(stub);
};
const open = (address: string) => drawApp(address, { signedIn: true });

test('the owner of an unverified company sees a link to verification', async () => {
  as({}, { verified: false, status: 'UNVERIFIED' });
  open('/try-it-now');
  expect(await screen.findByRole('heading', { name: 'You cannot open “Try it now”' })).toBeTruthy();
  const main = screen.getByRole('heading', { name: /You cannot open/ }).parentElement!;
  expect(main.textContent).toContain('Available once your account is verified.');
  expect(main.textContent).not.toContain('Ask the account owner');
  expect(main.querySelector('a')?.getAttribute('href')).toBe('/verification');
});

test('the owner of a company under review does not see a link', async () => {
  as({}, { verified: false, status: 'FORM_SUBMITTED' });
  open('/try-it-now');
  const main = (await screen.findByRole('heading', { name: /You cannot open/ })).parentElement!;
  expect(main.textContent).toContain('are under review');
  expect(main.querySelector('a')).toBeNull();
});

test('a closed full-screen page names the owner and links to the dashboard', async () => {
  as({ is_owner: false, permissions: { MESSAGES: 1 } });
  open('/contacts/create-audience');
  const main = (await screen.findByRole('heading', { name: 'You cannot open “Create audience”' })).parentElement!;
  expect(main.textContent).toContain('You need Add Audience permission. Ask the account owner for access.');
  expect(screen.getByRole('link', { name: 'Go to the dashboard' }).getAttribute('href')).toBe('/');
});

test('an impersonated session cannot open the page that adds users', async () => {
  const impersonation = {
    operator_name: 'Oona',
    reason: 'Help',
    expire_date: '2099-01-01 00:00:00',
    kind: 'operator',
  } as const;
  as({ impersonation });
  open('/settings/users/create');
  const main = (await screen.findByRole('heading', { name: 'You cannot open “Add user”' })).parentElement!;
  expect(main.textContent).toContain('Not available while you act as another user.');
  expect(screen.queryByRole('button', { name: /Send invitation/ })).toBeNull();
});

test('a page that does not exist for the user has the not-found title', async () => {
  as({});
  open('/accounts');
  await screen.findByText('Page not found');
  await waitFor(() => expect(document.title).toBe('Page not found · Parley'));
});

test('an unknown path keeps the menu for signed-in users', async () => {
  as({});
  open('/no/such/page');
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  expect(screen.getAllByRole('main')).toHaveLength(1);
});
