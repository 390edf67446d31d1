/** Pages that are closed to somebody, in the whole app: what they say, where they lead, and what the tab tells of pages that are not there. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../../test/app.tsx';
import { ACCOUNT, answer, type Stub, sessionStub, stubApi, USER } from '../../test/draw.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const as = (user: Partial<typeof USER>, account: Partial<typeof ACCOUNT> = {}) => {
  const session = sessionStub();
  const stub: Stub = (call) => {
    if (call.path === '/v1/users/self') return answer({ ...USER, ...user });
    if (call.path === '/v1/accounts/self') return answer({ ...ACCOUNT, ...account });
    return session(call);
  };
  return stubApi(stub);
};
const open = (address: string) => drawApp(address, { signedIn: true });

test('an owner whose company is not verified is led to its verification, and is not sent to the owner', async () => {
  as({}, { verified: false, status: 'UNVERIFIED' });
  open('/try-it-now');
  expect(await screen.findByRole('heading', { name: 'You cannot open “Try it now”' })).toBeTruthy();
  const main = screen.getByRole('heading', { name: /You cannot open/ }).parentElement!;
  expect(main.textContent).toContain('This opens once your account is verified.');
  expect(main.textContent).not.toContain('Ask the owner');
  expect(main.querySelector('a')?.getAttribute('href')).toBe('/verification');
});

test('while the form is looked at there is nothing to do but wait', async () => {
  as({}, { verified: false, status: 'FORM_SUBMITTED' });
  open('/try-it-now');
  const main = (await screen.findByRole('heading', { name: /You cannot open/ })).parentElement!;
  expect(main.textContent).toContain('are being looked at');
  expect(main.querySelector('a')).toBeNull();
});

test('a full-screen page without permission says whom to ask and leads back into the app', async () => {
  as({ is_owner: false, permissions: { MESSAGES: 1 } });
  open('/contacts/create-audience');
  const main = (await screen.findByRole('heading', { name: 'You cannot open “Create audience”' })).parentElement!;
  expect(main.textContent).toContain('You need Add Audience permission. Ask the owner of your account to change it.');
  expect(screen.getByRole('link', { name: 'Go to the start page' }).getAttribute('href')).toBe('/');
});

test('who acts in somebody else’s name is not offered to make users', async () => {
  const entered = {
    operator_name: 'Oona',
    reason: 'Help',
    expire_date: '2099-01-01 00:00:00',
    kind: 'operator',
  } as const;
  as({ impersonation: entered });
  open('/settings/users/create');
  const main = (await screen.findByRole('heading', { name: 'You cannot open “Add user”' })).parentElement!;
  expect(main.textContent).toContain('Only the person themselves can do this.');
  expect(screen.queryByRole('button', { name: /Send invitation/ })).toBeNull();
});

test('the title of a page that is not there says so, whatever is there for others', async () => {
  as({});
  open('/accounts');
  await screen.findByText('There is no page at this address');
  await waitFor(() => expect(document.title).toBe('Page not found · Parley'));
});
