/** @vitest-environment happy-dom */

import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import type { View } from '@parley/contract/views/views.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, respond, sessionStub, stubApi } from '../../../test/draw.tsx';
import { ListTable } from '../ListTable.tsx';
import { useList } from '../list.tsx';

let views: View[] = [];
let calls: Call[] = [];

function stub(permissions?: Permissions): void {
  const session = sessionStub(permissions ? { permissions } : {});
  calls = stubApi((call) => {
    const { method, path, body } = call;
    if (path === '/v1/audiences')
      return respond([{ id: 'a', name: 'Regulars', channel: 'SMS' }], { number: 1, size: 10, total: 1, links: {} });
    if (!path.startsWith('/v1/views')) return session(call);
    if (method === 'GET') return respond(views);
    const old = views.find(({ id }) => path.endsWith(id));
    const saved = { ...(old ?? view({ id: 'new' })), ...(body as Partial<View>) };
    views = [...views.filter(({ id }) => id !== saved.id), saved];
    return respond(saved);
  });
}
const view = (more: Partial<View> = {}): View => ({
  id: 'v1',
  list: 'audiences',
  name: 'Large ones',
  shared: false,
  is_own: true,
  user_name: 'Dana Quill',
  state: { filters: { search: 'reg' }, sort: '-contacts_count', columns: { shown: { channel: true }, order: [] } },
  create_date: '2026-01-01 00:00:00',
  update_date: '2026-01-01 00:00:00',
  ...more,
});

beforeEach(() => {
  views = [view()];
  localStorage.clear();
  stub();
});
afterEach(() => vi.unstubAllGlobals());

const FILTERS = ['search'];
function Page() {
  const list = useList(listAudiences, { subject: 'The audiences', filters: FILTERS });
  return (
    <ListTable
      list={list}
      id="audiences"
      label="Audiences"
      noun="audiences"
      search="Search audiences"
      columns={[
        { key: 'name', title: 'Name', sort: 'name', fixed: true, render: (row) => row.name },
        { key: 'channel', title: 'Channel', hidden: true, render: (row) => row.channel },
        { key: 'id', title: 'ID', render: (row) => row.id },
      ]}
      rowKey={(row) => row.id}
      empty="Nothing yet"
    />
  );
}

const openMenu = async (name: RegExp | string = 'Views') => {
  fireEvent.click(await screen.findByRole('button', { name }));
  return screen.findByRole('menu');
};
// Without a layout, the menu counts as detached from its button, which hides it.
const item = (menu: HTMLElement, name: string) => within(menu).findByRole('menuitem', { name, hidden: true });
const lastList = () => calls.filter(({ path }) => path === '/v1/audiences').at(-1)?.query;
const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent);

test('a view replaces the filters, the order, and the columns, and is named in the URL', async () => {
  const { router } = await draw(Page, { address: '/?search=old&page=1' });
  expect(calls.some(({ path }) => path === '/v1/views')).toBe(false);
  fireEvent.click(await item(await openMenu(), 'Large ones'));
  await waitFor(() => expect(lastList()?.get('sort')).toBe('-contacts_count'));
  expect(lastList()?.get('filter[search]')).toBe('reg');
  expect(router.state.location.search).toEqual({ search: 'reg', sort: '-contacts_count', view: 'v1' });
  expect(headers()).toEqual(['Name', 'Channel', 'ID']);
  expect(screen.getByRole('button', { name: 'View: Large ones' })).toBeTruthy();
});

test('a changed view shows that it was modified until its changes are saved', async () => {
  await draw(Page, { address: '/?search=reg&sort=-contacts_count&view=v1' });
  await screen.findByRole('button', { name: 'View: Large ones' });
  fireEvent.click(screen.getByRole('button', { name: 'Name' }));
  const menu = await openMenu('View: Large ones, modified');
  fireEvent.click(await item(menu, 'Save changes'));
  expect(await screen.findByRole('button', { name: 'View: Large ones' })).toBeTruthy();
  expect(views[0]?.state).toEqual({ ...view().state, sort: 'name' });
});

test('columns are kept with the view, and discarded changes restore it', async () => {
  await draw(Page, { address: '/?search=reg&sort=-contacts_count&view=v1' });
  await screen.findByRole('button', { name: 'View: Large ones' });
  fireEvent.click(screen.getByLabelText('Choose columns'));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'ID' }));
  expect(headers()).toEqual(['Name', 'Channel']);
  expect(localStorage.getItem('parley.columns.audiences')).toBeNull();
  const menu = await openMenu('View: Large ones, modified');
  fireEvent.click(await item(menu, 'Discard changes'));
  await waitFor(() => expect(headers()).toEqual(['Name', 'Channel', 'ID']));
});

test('a new view is saved with the filters, order, and columns on the screen', async () => {
  views = [];
  const { router } = await draw(Page, { address: '/?search=reg&sort=name' });
  const menu = await openMenu();
  expect(await within(menu).findByText(/^No views yet/)).toBeTruthy();
  fireEvent.click(await item(menu, 'Save as new view'));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'By name' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Share with the account' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
  expect(await screen.findByRole('button', { name: 'View: By name' })).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    list: 'audiences',
    name: 'By name',
    shared: true,
    state: { filters: { search: 'reg' }, sort: 'name', columns: { shown: {}, order: [] } },
  });
  expect(router.state.location.search).toEqual({ search: 'reg', sort: 'name', view: 'new' });
});

test('filters, orders, and columns that the list does not have are ignored', async () => {
  views = [
    view({
      state: { filters: { gone: 'x' }, sort: '-gone', columns: { shown: { gone: true }, order: ['gone', 'id'] } },
    }),
  ];
  const { router } = await draw(Page);
  fireEvent.click(await item(await openMenu(), 'Large ones'));
  expect(await screen.findByRole('button', { name: 'View: Large ones' })).toBeTruthy();
  expect(router.state.location.search).toEqual({ view: 'v1' });
});

test('a shared view can be changed only with permission', async () => {
  views = [view({ shared: true, is_own: false, user_name: 'Ann Miller' })];
  stub({ AUDIENCES: 1 });
  await draw(Page, { address: '/?search=reg&sort=-contacts_count&view=v1' });
  const menu = await openMenu('View: Large ones');
  expect(await within(menu).findByText('Ann Miller')).toBeTruthy();
  for (const name of ['Rename', 'Make private', 'Delete'])
    expect((await item(menu, name)).getAttribute('aria-disabled')).toBe('true');
  expect((await item(menu, 'Save as new view')).getAttribute('aria-disabled')).toBeNull();
});

test('a view that is gone leaves the list as its URL describes it', async () => {
  views = [];
  await draw(Page, { address: '/?search=reg&view=v1' });
  expect(await screen.findByText('Regulars')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Views' })).toBeTruthy();
  expect(lastList()?.get('filter[search]')).toBe('reg');
});

test('a list opens its default view unless the URL has filters', async () => {
  await draw(Page, { address: '/?search=reg&sort=-contacts_count&view=v1' });
  fireEvent.click(await item(await openMenu('View: Large ones'), 'Open by default'));
  cleanup();
  const { router } = await draw(Page);
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ search: 'reg', sort: '-contacts_count', view: 'v1' }),
  );
  fireEvent.click(await item(await openMenu('View: Large ones'), 'All audiences'));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  cleanup();
  const filtered = await draw(Page, { address: '/?search=other' });
  expect(await screen.findByRole('button', { name: 'Views' })).toBeTruthy();
  expect(filtered.router.state.location.search).toEqual({ search: 'other' });
});
