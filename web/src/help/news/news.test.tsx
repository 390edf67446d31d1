import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../../test/app.tsx';
import { type Call, respond, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import { firstSentence, hasUnseenNews, loadNews, NEWS_ID, readChangelog, visibleNews } from './changelog.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const CHANGELOG = `# Changelog

## Unreleased

### Added

- A search. See [docs/inbox.md](docs/inbox.md).

**Campaigns**

- Tests of \`a.b\` and more, on
  two lines. Details follow.

**Running Parley**

- A setting.

### Fixed

- A crash.

## 1.0.0 (2026-01-02)

### Fixed

- Another crash.
`;

test('customers see the changes for them, and operators see all changes', () => {
  const versions = readChangelog(CHANGELOG);
  expect(versions.map(({ title }) => title)).toEqual(['Unreleased', '1.0.0 (2026-01-02)']);
  const titles = (isOperator: boolean) =>
    visibleNews(versions, isOperator).flatMap(({ sections }) =>
      sections.flatMap(({ title, groups }) => groups.map((group) => `${title}: ${group.title}`)),
    );
  expect(titles(false)).toEqual(['Added: General', 'Added: Campaigns']);
  expect(titles(true)).toEqual([
    ...['Added: General', 'Added: Campaigns', 'Added: Running Parley', 'Fixed: General', 'Fixed: General'],
  ]);
  const items = versions[0]!.sections[0]!.groups.flatMap((group) => group.items);
  expect(items.slice(0, 2)).toEqual([
    'A search. See docs/inbox.md.',
    'Tests of `a.b` and more, on two lines. Details follow.',
  ]);
  expect(firstSentence(items[1]!)).toBe('Tests of `a.b` and more, on two lines.');
});

test('the changelog of this build has news for customers', async () => {
  const [newest] = visibleNews(await loadNews(), false);
  expect(newest!.sections[0]!.groups.length).toBeGreaterThan(0);
  expect(NEWS_ID).toMatch(/^[0-9a-f]{12}$/);
});

test('only users who have known Parley for two weeks have unseen news', () => {
  const long = '2026-01-01 00:00:00';
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  expect(hasUnseenNews({ news_seen: null, create_date: long })).toBe(true);
  expect(hasUnseenNews({ news_seen: null, create_date: now })).toBe(false);
  expect(hasUnseenNews({ news_seen: '000000000000', create_date: now })).toBe(true);
  expect(hasUnseenNews({ news_seen: NEWS_ID, create_date: long })).toBe(false);
});

test('the dot disappears when the user opens the news, and the server stores it', async () => {
  const session = sessionStub();
  const sent: unknown[] = [];
  stubApi((request: Call) => {
    if (request.path === '/v1/users/self') return respond({ ...USER, create_date: '2026-01-01 00:00:00' });
    if (request.path !== '/v1/users/self/news') return session(request);
    sent.push(request.body);
    return new Response(null, { status: 204 });
  });
  drawApp('/exports', { signedIn: true });
  fireEvent.click(await screen.findByRole('button', { name: 'What’s new (unread)' }));
  const box = await screen.findByRole('dialog', { name: 'What’s new' });
  expect((await within(box).findByRole('link', { name: 'See all changes' })).getAttribute('href')).toBe(
    '/manual/whats-new',
  );
  await waitFor(() => expect(sent).toEqual([{ news_id: NEWS_ID }]));
  expect(screen.getByRole('button', { name: 'What’s new' })).toBeTruthy();
});
