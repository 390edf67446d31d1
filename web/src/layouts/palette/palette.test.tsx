/** Tests the command palette: its results, its keys, and its history. */
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openOverlay, useRecordActions } from '../../kernel/commands.ts';
import { drawApp } from '../../test/app.tsx';
import { type Call, draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import Everywhere from '../Everywhere.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const result = (kind: string, id: string, title: string, more: Record<string, unknown> = {}) => ({
  kind,
  id,
  title,
  detail: '',
  channel: null,
  number: null,
  audience_id: null,
  bucket: null,
  ...more,
});
const SPRING = [
  result('campaign', 'c1', 'Spring sale', { channel: 'SMS' }),
  result('contact', 'k1', 'Ann Springer', { number: '447410000123', audience_id: 'a1' }),
];

function stubSearch(find: (text: string) => unknown[] = () => SPRING) {
  const session = sessionStub();
  return stubApi((call) => (call.path === '/v1/search' ? respond(find(call.query.get('text') ?? '')) : session(call)));
}
const searches = (calls: Call[]) =>
  calls.filter(({ path }) => path === '/v1/search').map(({ query }) => query.get('text'));

async function open() {
  // The keys work once this part of the app has loaded.
  await screen.findByRole('status', { name: 'Connection' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  return screen.findByRole('combobox', { name: 'Search everything' });
}
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const group = (name: string) => within(screen.getByRole('group', { name }));
const results = () => within(screen.getByRole('listbox', { name: 'Results' }));
const options = () =>
  results()
    .queryAllByRole('option')
    .map((option) => option.textContent);
const selected = () => results().getByRole('option', { selected: true }).textContent;

test('the palette finds pages, actions, settings with their values, and appearance', async () => {
  stubSearch(() => []);
  await draw(Everywhere);
  const field = await open();
  expect(group('Actions').getByRole('option', { name: 'Show keyboard shortcuts' })).toBeTruthy();
  // Values and choices of appearance are found, but would crowd the first list.
  expect(screen.queryByRole('group', { name: 'Appearance' })).toBeNull();
  type(field, 'yerevan');
  expect(options()).toEqual(['Time zoneAsia/Yerevan']);
  type(field, 'dark');
  expect(group('Appearance').getByRole('option').textContent).toBe('Theme: dark');
  type(field, 'density');
  expect(
    group('Appearance')
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Density: compact', 'Density: comfortableCurrent']);
});

test('choosing a theme applies it', async () => {
  stubSearch(() => []);
  await draw(Everywhere);
  type(await open(), 'theme dark');
  fireEvent.click(screen.getByRole('option', { name: 'Theme: dark' }));
  await waitFor(() => expect(document.documentElement.dataset.mantineColorScheme).toBe('dark'));
});

test('the palette lists the records of the server by kind, with the matched letters marked', async () => {
  stubSearch();
  await draw(Everywhere);
  type(await open(), 'spring');
  const campaign = await screen.findByRole('option', { name: 'Spring sale' });
  expect(campaign.querySelector('mark')?.textContent).toBe('Spring');
  expect(group('Campaigns').getAllByRole('option')).toHaveLength(1);
  expect(group('Contacts').getByRole('option').textContent).toContain('Ann Springer');
});

test('a search waits for a pause in typing, and does not repeat a request for the same text', async () => {
  const calls = stubSearch();
  await draw(Everywhere);
  const field = await open();
  for (const text of ['s', 'sp', 'spr']) type(field, text);
  await screen.findByRole('option', { name: 'Spring sale' });
  type(field, 'spri');
  // The previous results stay while the next ones load.
  expect(screen.getByRole('option', { name: 'Spring sale' })).toBeTruthy();
  await waitFor(() => expect(searches(calls)).toEqual(['spr', 'spri']));
  type(field, 'spr');
  expect(screen.getByRole('option', { name: 'Spring sale' })).toBeTruthy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(searches(calls)).toEqual(['spr', 'spri']);
});

test('a text without results shows a notice, and a failed search shows an error', async () => {
  const session = sessionStub();
  let status = 200;
  stubApi((call) => {
    if (call.path !== '/v1/search') return session(call);
    return status === 200 ? respond([]) : Response.json({ errors: [] }, { status });
  });
  await draw(Everywhere);
  const field = await open();
  type(field, 'qqqq');
  expect(await screen.findByText('No results for “qqqq”')).toBeTruthy();
  status = 500;
  type(field, 'wwww');
  expect(await screen.findByText(/Search failed/)).toBeTruthy();
});

test('the arrow keys move, Enter opens, and the opened record is listed as recent next time', async () => {
  stubSearch();
  drawApp('/insights', { signedIn: true });
  await screen.findByRole('heading', { level: 1, name: 'Insights' });
  const field = await open();
  type(field, 'springer');
  await screen.findByRole('group', { name: 'Contacts' });
  while (!selected()?.includes('Ann Springer')) fireEvent.keyDown(field, { key: 'ArrowDown' });
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(window.location.pathname).toBe('/contacts/my-audiences/a1'));
  expect(window.location.search).toBe('?search=447410000123&open=k1');
  await open();
  expect(group('Recent').getAllByRole('option')[0]?.textContent).toBe('Ann SpringerContact');
});

test('the selection stays on its entry when results arrive', async () => {
  const waiting: ((response: Response) => void)[] = [];
  const session = sessionStub();
  stubApi((call) =>
    call.path === '/v1/search' ? new Promise<Response>((resolve) => waiting.push(resolve)) : session(call),
  );
  await draw(Everywhere);
  const field = await open();
  type(field, 'user');
  await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
  const before = selected();
  await act(async () => waiting.at(-1)!(respond([result('campaign', 'c9', 'User survey')])));
  expect(await screen.findByRole('option', { name: 'User survey' })).toBeTruthy();
  expect(selected()).toBe(before);
});

test('the palette offers the available actions on the open record', async () => {
  stubSearch(() => []);
  const pause = vi.fn();
  const Page = () => {
    useRecordActions({ kind: 'campaign', id: 'c1', title: 'Spring sale', path: '/sms/my-campaigns/c1' }, [
      { label: 'Pause', run: pause },
      { label: 'Delete', reason: 'You need Delete Campaign permission.', run: () => {} },
    ]);
    return <Everywhere />;
  };
  await draw(Page);
  const field = await open();
  expect(group('This campaign: Spring sale').getAllByRole('option')).toHaveLength(1);
  // The open record itself is not offered as recent.
  expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull();
  type(field, 'pause');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(pause).toHaveBeenCalledOnce());
});

test('Esc closes the palette', async () => {
  stubSearch(() => []);
  await draw(Everywhere);
  fireEvent.keyDown(await open(), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search everything' })).toBeNull());
});

test('a question mark lists the shortcuts of the page', async () => {
  stubSearch(() => []);
  await draw(Everywhere);
  fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(dialog.getByText('Search pages, actions, and records')).toBeTruthy();
  act(() => openOverlay(null));
});
