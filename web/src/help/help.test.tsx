import { GUIDES } from '@parley/contract/docs/guides.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
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

test('public pages link to the documents that the server names', async () => {
  const meta = document.head.appendChild(document.createElement('meta'));
  meta.name = 'legal-links';
  meta.content = JSON.stringify([
    { label: 'Privacy policy', href: '/legal/privacy-policy' },
    { label: 'Terms of service', href: 'https://example.com/terms' },
    { label: 'Anti-spam policy', href: '/legal/anti-spam-policy' },
    { label: 'Imprint', href: 'https://example.com/imprint' },
  ]);
  stubApi(() => undefined);
  drawApp('/sign-up');
  const links = within(await screen.findByRole('navigation', { name: 'Legal' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    ...['/legal/privacy-policy', 'https://example.com/terms', '/legal/anti-spam-policy'],
    'https://example.com/imprint',
  ]);
  expect((await screen.findByRole('link', { name: 'terms of service' })).getAttribute('href')).toBe(
    'https://example.com/terms',
  );
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

const OPENAPI = {
  paths: {
    '/v1/messages': {
      get: { operationId: 'messages.list', summary: 'The log', tags: ['messages'], 'x-needs': 'MESSAGES:view' },
      post: {
        ...{ operationId: 'messages.send', summary: 'Send', tags: ['messages'], 'x-needs': 'MESSAGES:add' },
        parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  data: { $ref: '#/components/schemas/MessagesCreateBody' },
                },
              },
            },
          },
        },
        responses: { 400: { description: '1506: Recipient is required. 1508: Text is required' } },
      },
    },
    '/v1/users/self': {
      get: { operationId: 'users.get', summary: 'Oneself', tags: ['users'], 'x-needs': null },
    },
  },
  components: {
    parameters: {
      IdempotencyKey: { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } },
    },
    schemas: {
      Text: { type: 'string', maxLength: 1000 },
      MessagesCreateBody: {
        type: 'object',
        properties: {
          to: { type: 'array', items: { type: 'string' } },
          text: { anyOf: [{ $ref: '#/components/schemas/Text' }, { type: 'null' }], description: 'The text.' },
          schedule: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' },
        },
        required: ['to'],
      },
    },
  },
};
const GUIDE = `# Errors

A refused request has a list of \`errors\`. See [the
\`statuses\`](/docs?section=errors).

- One item
  in two lines
- Another

| Status | Meaning |
|---|---|
| 429 | Wait |

## Example

\`\`\`sh
curl 'https://x.test'

echo done
\`\`\`
`;
const stubDocument = () =>
  stubApi(({ path }) =>
    path === '/v1/openapi.json'
      ? Response.json(OPENAPI)
      : path === '/docs/errors.md'
        ? new Response(GUIDE)
        : /^\/docs\/[\w-]+\.md$/.test(path)
          ? new Response('# A guide\n\nIts text.\n')
          : undefined,
  );

test('the documentation lists guides and the modules of the OpenAPI document', async () => {
  stubDocument();
  drawApp('/docs');
  await screen.findByRole('heading', { level: 1, name: 'Documentation' });
  const contents = screen.getByRole('navigation', { name: 'Contents' });
  await within(contents).findByRole('link', { name: 'Users' });
  expect(
    within(contents)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([...GUIDES.map(({ title }) => title), 'Messages', 'Users']);
  expect(await screen.findByText('Its text.')).toBeTruthy();
});

test('a guide shows its headings, lists, tables, links, and code', async () => {
  stubDocument();
  drawApp('/docs?section=errors');
  expect(await screen.findByRole('heading', { level: 3, name: 'Example' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'the statuses' }).getAttribute('href')).toBe('/docs?section=errors');
  expect(screen.getByText('errors').tagName).toBe('CODE');
  expect(screen.getByText('statuses').tagName).toBe('CODE');
  expect(screen.getByText('One item in two lines').tagName).toBe('LI');
  expect(screen.getByRole('cell', { name: 'Wait' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Code: Example' }).textContent).toBe("curl 'https://x.test'\n\necho done");
});

test('a section is copied as Markdown', async () => {
  stubDocument();
  const writeText = vi.fn(async (_: string) => {});
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
  drawApp('/docs?section=errors');
  fireEvent.click(await screen.findByRole('button', { name: 'Copy as Markdown' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(writeText).toHaveBeenCalledWith(GUIDE);
});

test('a module shows the fields, errors, and examples of its endpoints', async () => {
  stubDocument();
  drawApp('/docs?section=messages');
  const send = await screen.findByRole('region', { name: 'Send' });
  expect(send.textContent).toContain('Requires MESSAGES:add');
  const body = within(send).getByRole('table', { name: 'Request body' });
  expect(
    within(body)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual([
    'FieldNotes',
    'to requiredarray of string',
    'textstring or nullThe text. At most 1000 characters',
    'scheduledate and time',
  ]);
  expect(within(send).getByText('1506: Recipient is required')).toBeTruthy();
  const code = () => within(send).getByRole('region', { name: 'Example: Send' }).textContent;
  expect(code()).toContain('"to": [');
  fireEvent.click(within(send).getByText('Python'));
  await waitFor(() => expect(code()).toContain('requests.post('));
});

test('a search lists the matching endpoints and keeps their module open', async () => {
  stubDocument();
  drawApp('/docs');
  const contents = await screen.findByRole('navigation', { name: 'Contents' });
  await within(contents).findByRole('link', { name: 'Users' });
  fireEvent.change(within(contents).getByLabelText('Search the documentation'), { target: { value: 'post messages' } });
  const hit = await within(contents).findByRole('link', { name: /^Send/ });
  expect(within(contents).getAllByRole('link')).toHaveLength(1);
  fireEvent.click(hit);
  expect(await screen.findByRole('region', { name: 'Send' })).toBeTruthy();
});

test('the documentation shows an error when the OpenAPI document cannot be loaded', async () => {
  stubApi(() => new Response('', { status: 502 }));
  drawApp('/docs');
  expect((await screen.findByRole('alert', {}, { timeout: 10_000 })).textContent).toMatch(/could not be loaded/);
});
