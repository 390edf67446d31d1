import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../test/app.tsx';
import { respond, stubApi } from '../test/draw.tsx';

const SECRET = 's'.repeat(43);
afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

test('the secret of a reset link leaves the address immediately and survives a reload of the tab', async () => {
  stubApi(() => respond(null));
  drawApp(`/reset-password/${SECRET}`);
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeTruthy();
  await waitFor(() => expect(window.location.href).toMatch(/\/reset-password$/));
  cleanup();
  drawApp('/reset-password', { keepTab: true });
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeTruthy();
  cleanup();
  drawApp('/reset-password');
  expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeTruthy();
});
