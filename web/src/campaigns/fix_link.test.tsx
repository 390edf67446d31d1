/** @vitest-environment happy-dom */
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ACCOUNT, draw, respond, stubApi, USER } from '../test/draw.tsx';
import { FixLink } from './FixLink.tsx';

beforeEach(() => {
  stubApi(({ path }) => {
    if (path === '/v1/users/self') return respond(USER);
    return path === '/v1/accounts/self' ? respond(ACCOUNT) : new Promise(() => {});
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a fix link opens a page with a query, and is hidden when the page does not exist', async () => {
  await draw(() => (
    <>
      <FixLink fix={{ label: 'Create audience', path: '/elsewhere?channel=viber' }} />
      <FixLink fix={{ label: 'Missing', path: '/missing?channel=viber' }} />
    </>
  ));
  const link = await screen.findByRole('link', { name: 'Create audience' });
  expect(link.getAttribute('href')).toBe('/elsewhere?channel=viber');
  expect(screen.queryByRole('link', { name: 'Missing' })).toBeNull();
});
