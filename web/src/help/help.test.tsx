import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LEGAL_LINKS } from '../paths.ts';
import { drawApp } from '../test/app.tsx';
import { stubApi } from '../test/draw.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

test('public pages link to the legal documents, and to reviews when the operator configured them', async () => {
  const meta = document.head.appendChild(document.createElement('meta'));
  meta.name = 'review-links';
  meta.content = JSON.stringify([{ label: 'G2', href: 'https://www.g2.com/products/example' }]);
  stubApi(() => undefined);
  drawApp('/sign-in');
  const legal = await screen.findByRole('navigation', { name: 'Legal' });
  expect(
    within(legal)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/legal/privacy-policy', '/legal/terms-of-service', '/legal/anti-spam-policy']);
  const reviews = within(screen.getByRole('list', { name: 'Partner reviews' })).getAllByRole('link');
  expect(reviews.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['G2', 'https://www.g2.com/products/example'],
  ]);
  for (const link of reviews) expect(link.querySelector('svg')).toBeTruthy();
  meta.remove();
});

test('public pages show no reviews when none are configured', async () => {
  stubApi(() => undefined);
  drawApp('/sign-in');
  await screen.findByRole('navigation', { name: 'Legal' });
  expect(screen.queryByRole('list', { name: 'Partner reviews' })).toBeNull();
});

test.each(LEGAL_LINKS.map(({ href, label }) => [href, label]))(
  '%s shows the %s under its own title',
  async (href, label) => {
    stubApi(() => undefined);
    drawApp(href);
    expect(await screen.findByRole('heading', { level: 1, name: label })).toBeTruthy();
    expect(document.title).toBe(`${label} · Parley`);
  },
);

test('an unknown legal document shows the not-found page', async () => {
  stubApi(() => undefined);
  drawApp('/legal/cookies');
  expect(await screen.findByText('Page not found')).toBeTruthy();
});

test('the documentation lists the OpenAPI endpoints by module', async () => {
  stubApi(({ path }) =>
    path === '/v1/openapi.json'
      ? Response.json({
          paths: {
            '/v1/messages': {
              get: { operationId: 'messages.list', summary: 'The log', tags: ['messages'], 'x-needs': 'MESSAGES:view' },
              post: { operationId: 'messages.send', summary: 'Send', tags: ['messages'], 'x-needs': 'MESSAGES:add' },
            },
            '/v1/users/self': {
              get: { operationId: 'users.get', summary: 'Oneself', tags: ['users'], 'x-needs': null },
            },
          },
        })
      : undefined,
  );
  drawApp('/docs');
  await screen.findByRole('heading', { level: 1, name: 'Documentation' });
  expect(await screen.findByText('POST /v1/messages')).toBeTruthy();
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'Making requests',
    'Messages',
    'Users',
  ]);
  expect(screen.getByText('MESSAGES:add')).toBeTruthy();
  expect(screen.getByText('sign-in required')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'OpenAPI 3.1 document' }).getAttribute('href')).toBe('/v1/openapi.json');
});

test('the documentation shows an error when the OpenAPI document cannot be loaded', async () => {
  stubApi(() => new Response('', { status: 502 }));
  drawApp('/docs');
  expect((await screen.findByRole('alert', {}, { timeout: 10_000 })).textContent).toMatch(/could not be loaded/);
});
