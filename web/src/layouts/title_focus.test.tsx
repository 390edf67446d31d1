import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { drawApp } from '../test/app.tsx';
import { ACCOUNT, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';

beforeEach(() => {
  stubApi(sessionStub());
});
afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

/** The operators' view has its own host name. */
function onAdminHost(): void {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } };
  const { href } = window.location;
  happyDOM.setURL('http://admin.localhost:3000/');
  onTestFinished(() => happyDOM.setURL(href));
}

const title = (name: string) => screen.findByRole('heading', { level: 1, name });

test('the title takes the focus when the user opens another page, but not on the first page', async () => {
  drawApp('/settings/security', { signedIn: true });
  await title('Security');
  expect(document.activeElement === document.body).toBe(true);
  const link = screen.getByRole('link', { name: 'My user' });
  link.focus();
  fireEvent.click(link);
  const next = await title('My user');
  await waitFor(() => expect(document.activeElement === next).toBe(true));
});

test('the title takes the focus in the next step of a task, which the URL shows', async () => {
  const session = sessionStub();
  stubApi(async (call) => {
    if (call.path === '/v1/connections') return respond([]);
    if (call.path === '/v1/accounts/self') return respond({ ...ACCOUNT, operator: true });
    return session(call);
  });
  onAdminHost();
  drawApp('/connections/add', { signedIn: true });
  await title('Connect a provider');
  const card = await screen.findByRole('link', { name: /^Vonage/ });
  card.focus();
  fireEvent.click(card);
  const next = await title('Connect Vonage');
  await waitFor(() => expect(document.activeElement === next).toBe(true));
});

test('a question closes, answered with no, when another page opens', async () => {
  drawApp('/settings/security', { signedIn: true });
  await title('Security');
  await screen.findByRole('status', { name: 'Connection' });
  const link = screen.getByRole('link', { name: 'My user' });
  let answer!: Promise<boolean>;
  act(() => {
    answer = confirm({ title: 'Delete the sender?', consequence: 'It cannot be restored.', action: 'Delete' });
  });
  await screen.findByRole('dialog', { name: 'Delete the sender?' });
  fireEvent.click(link);
  await title('My user');
  expect(await answer).toBe(false);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
