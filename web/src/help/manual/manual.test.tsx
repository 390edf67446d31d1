import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { makeRouter } from '../../routes.tsx';
import { drawApp } from '../../test/app.tsx';
import { sessionStub, stubApi } from '../../test/draw.tsx';
import { CONTENTS, OPERATOR_CONTENTS } from './contents.ts';
import { loadManual, readPage, searchManual } from './manual.ts';
import { findPart, PARTS } from './parts.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

/** Pages for signed-out users, and documents, which have no help button. */
const WITHOUT_HELP = new RegExp(
  '^/(sign-in|sign-up|login|register|forgot-password|reset-password|email-verification|invitations|' +
    'legal|docs|manual|pipedrive|gallery)',
);
const REDIRECTS = ['/contacts', '/tools', '/sms', '/whatsapp', '/viber'];

test('every page of the app has a part in the manual, and every part exists', async () => {
  const routes = Object.keys(makeRouter({ kind: 'out', notice: null } as never).routesByPath).filter(
    (path) => !WITHOUT_HELP.test(path) && !REDIRECTS.includes(path),
  );
  expect(routes.length).toBeGreaterThan(100);
  expect(routes.filter((path) => !PARTS[path])).toEqual([]);
  expect(Object.keys(PARTS).filter((path) => !path.includes('?') && !routes.includes(path))).toEqual([]);
  const { pages } = await loadManual(true);
  const broken = Object.values(PARTS).filter((part) => {
    const [id = '', anchor] = part.split('#');
    const page = pages.get(id);
    return !page || (anchor && !page.sections.some((section) => section.id === anchor));
  });
  expect(broken).toEqual([]);
});

test('the contents list every page once, and customers get none for operators', async () => {
  const operators = await loadManual(true);
  const listed = [...CONTENTS, OPERATOR_CONTENTS].flatMap(({ pages }) => pages);
  expect([...operators.pages.keys()].sort()).toEqual([...listed].sort());
  const customers = await loadManual(false);
  expect([...customers.pages.keys()].filter((id) => id.startsWith('operators-'))).toEqual([]);
});

test('the part of a page depends on its tab and on the view', () => {
  expect(findPart('/insights')).toBe('insights');
  expect(findPart('/insights', 'log')).toBe('message-log');
  expect(findPart('/')).toBe('getting-started#the-dashboard');
  expect(findPart('/', undefined, true)).toBe('operators-setup#home');
});

test('the search finds sections by the beginnings of words, titles first', () => {
  const pages = [
    readPage('a', '# Limits\n\nAbout limits.\n\n## Per day\n\nThe *frequency cap* stops campaigns.\n'),
    readPage('b', '# Campaigns\n\nSend them.\n\n## Frequency cap\n\nSee [limits](a.md).\n'),
  ];
  const manual = {
    groups: [{ title: 'All', pages: ['a', 'b'] }],
    pages: new Map(pages.map((page) => [page.id, page])),
  };
  const found = (query: string) => searchManual(manual, query).map(({ page, section }) => `${page.id}#${section.id}`);
  expect(found('frequ')).toEqual(['b#frequency-cap', 'a#per-day']);
  expect(found('LIMITS frequency')).toEqual(['b#frequency-cap', 'a#per-day']);
  expect(found('equency')).toEqual([]);
  expect(found(' ')).toEqual([]);
  expect(searchManual(manual, 'stops')[0]?.snippet).toContain('frequency cap stops campaigns');
});

test('a page shows its text with links to other pages, and the search narrows the contents', async () => {
  stubApi(() => undefined);
  drawApp('/manual/audiences');
  expect(await screen.findByRole('heading', { level: 1, name: 'Audiences' })).toBeTruthy();
  const imports = within(screen.getByRole('main')).getAllByRole('link', { name: 'Imports' })[0]!;
  expect(imports.getAttribute('href')).toBe('/manual/imports');
  expect(screen.getByRole('heading', { level: 2, name: /^Limits/ }).id).toBe('limits');
  expect(screen.getAllByText('Create audience')[0]?.tagName).toBe('STRONG');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search the manual' }), { target: { value: 'undo import' } });
  const hit = await screen.findByRole('link', { name: /Imports: Undo an import/ });
  expect(hit.getAttribute('href')).toContain('/manual/imports?q=undo%20import#undo-an-import');
});

test('customers do not find the pages for operators', async () => {
  stubApi(() => undefined);
  drawApp('/manual/operators-health');
  expect(await screen.findByText(/The manual has no page “operators-health”/)).toBeTruthy();
  expect(screen.queryByText('For operators')).toBeNull();
});

test('the top bar links to the part about the open page', async () => {
  stubApi(sessionStub());
  drawApp('/exports', { signedIn: true });
  const link = await screen.findByRole('link', { name: 'Help with this page (opens in a new tab)' });
  expect(link.getAttribute('href')).toBe('/manual/message-log#exports');
});
