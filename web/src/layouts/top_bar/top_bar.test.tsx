/** Tests the parts around the pages: the loader, the rate limit, the menu on a phone, and counts above 99. */
import { Button } from '@mantine/core';
import { createExport } from '@parley/contract/exports/exports.ts';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '../../kernel/http/client.ts';
import { setUnread } from '../../kernel/unread.ts';
import WelcomePopup from '../../onboarding/WelcomePopup.tsx';
import { drawApp } from '../../test/app.tsx';
import { draw, refuse, sessionStub, stubApi } from '../../test/draw.tsx';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { initials } from './UserMenu.tsx';

afterEach(() => {
  // Unmounts before the stub is removed, because pending requests would otherwise go to a real server.
  cleanup();
  setUnread(0);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test('the app shows only a loader until the session is known', async () => {
  stubApi(() => new Promise(() => {}));
  const view = drawApp('/insights', { signedIn: true });
  expect(screen.getByRole('status', { name: 'Loading Parley' })).toBeTruthy();
  expect(view.container.querySelector('nav, form, h1')).toBeNull();
});

test('a rate limit during startup shows its own page', async () => {
  stubApi(() => refuse(429, { code: 1999, message: 'x' }));
  drawApp('/insights', { signedIn: true });
  expect(
    await screen.findByText('Limit exceeded: You have exceeded requests limit per second, try later.'),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('an export limit shows its own message', async () => {
  const session = sessionStub();
  stubApi((sent) => (sent.path === '/v1/exports' ? refuse(429, { code: 1903, message: 'x' }) : session(sent)));
  await draw(() => (
    <Button onClick={() => void call(createExport, { body: { list: 'users' } }).catch(() => {})}>Export</Button>
  ));
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(await screen.findByText('The limit for the requests exceeded the allowed count')).toBeTruthy();
  expect(screen.queryByText('Too many requests')).toBeNull();
});

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('a count of %i is shown as %s', (count, text) => {
  expect(render(<CountBadge count={count} />).container.textContent).toBe(text);
});

test.each([
  ['Dana Quill', 'DQ'],
  ['W 😀mile', 'W😀'],
  ['👩‍🚀 Ünal', '👩‍🚀Ü'],
  ['', '?'],
])('the initials of "%s" are %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('the window title shows the number of unread messages, up to 99', async () => {
  stubApi(() => undefined);
  drawApp('/sign-in');
  await waitFor(() => expect(document.title).toBe('Sign in · Parley'));
  setUnread(99);
  await waitFor(() => expect(document.title).toBe('(99) Sign in · Parley'));
  setUnread(100);
  await waitFor(() => expect(document.title).toBe('(99+) Sign in · Parley'));
});

test('on a phone, a button opens the menu, which closes when a page opens', async () => {
  const matches = (query: string) => /max-width: 767px/.test(query);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }));
  stubApi(sessionStub());
  drawApp('/settings/user', { signedIn: true });
  const opener = await screen.findByRole('button', { name: 'Open menu' });
  expect(screen.queryByRole('link', { name: 'Insights' })).toBeNull();
  fireEvent.click(opener);
  const drawer = await screen.findByRole('dialog', { name: 'Menu' });
  fireEvent.click(await within(drawer).findByRole('link', { name: 'Insights' }));
  await waitFor(() => expect(window.location.pathname).toBe('/insights'));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
});

test('the welcome popup is 800 px wide', async () => {
  stubApi(sessionStub());
  await draw(WelcomePopup);
  const popup = await screen.findByRole('dialog');
  const modal = popup.closest<HTMLElement>('[style*="--modal-size"]');
  expect(modal?.style.getPropertyValue('--modal-size')).toMatch(/^calc\(50rem/);
});
