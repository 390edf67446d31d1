/** @vitest-environment happy-dom */

import { fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThemeProvider } from '../../theme/ThemeProvider.tsx';
import type { Column } from './columns.ts';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { moneyColumn } from './money_column.tsx';

interface Item {
  id: string;
  name: string;
  text: string;
  price: number | null;
}

const ROWS: Item[] = [
  { id: 'a', name: 'Ann', text: 'First text', price: 7_500 },
  { id: 'b', name: 'Ben', text: 'Second text', price: 1_250_000 },
  { id: 'c', name: 'Cleo', text: 'Third text', price: null },
];
const COLUMNS: Column<Item>[] = [
  { key: 'name', title: 'Name', fixed: true, sort: 'name', render: (row) => row.name },
  { key: 'text', title: 'Text', card: 'subtitle', render: (row) => row.text },
  { key: 'id', title: 'ID', card: 'hidden', render: (row) => row.id },
  moneyColumn({
    key: 'price',
    title: 'Price',
    sort: 'price_micros',
    micros: (row: Item) => row.price,
    currency: () => 'USD',
    exact: true,
  }),
];

const draw = (props: Partial<DataTableProps<Item>> = {}) => {
  const table = (more: Partial<DataTableProps<Item>>) => (
    <ThemeProvider>
      <DataTable
        id="test"
        label="Items"
        columns={COLUMNS}
        rows={ROWS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        empty="No items yet"
        {...props}
        {...more}
      />
    </ThemeProvider>
  );
  const { rerender } = render(table({}));
  return { change: (more: Partial<DataTableProps<Item>>) => rerender(table(more)) };
};
const titles = () => screen.getAllByRole('columnheader').map((header) => header.textContent);

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test('a column header sorts ascending, then descending, then not at all', () => {
  const onSort = vi.fn();
  const { change } = draw({ onSort, sort: null });
  const header = () => screen.getByRole('columnheader', { name: 'Price' });
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Price' }));
  expect(header().getAttribute('aria-sort')).toBe('none');
  press();
  expect(onSort).toHaveBeenLastCalledWith('price_micros');
  change({ sort: 'price_micros' });
  expect(header().getAttribute('aria-sort')).toBe('ascending');
  press();
  expect(onSort).toHaveBeenLastCalledWith('-price_micros');
  change({ sort: '-price_micros' });
  expect(header().getAttribute('aria-sort')).toBe('descending');
  press();
  expect(onSort).toHaveBeenLastCalledWith(null);
  expect(screen.queryByRole('button', { name: 'Text' })).toBeNull();
});

test('column headers are plain text when the list does not sort', () => {
  draw();
  expect(screen.queryByRole('button', { name: 'Name' })).toBeNull();
});

test('columns move with the buttons of the column menu and keep their order after a reload', async () => {
  draw();
  expect(titles()).toEqual(['Name', 'Text', 'ID', 'Price']);
  fireEvent.click(screen.getByLabelText('Choose columns'));
  const menu = await screen.findByRole('dialog', { name: 'Choose columns' });
  fireEvent.click(await within(menu).findByLabelText('Move Price up'));
  expect(titles()).toEqual(['Name', 'Text', 'Price', 'ID']);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Price up');
  expect(within(menu).getByText('Price is column 3 of 4')).toBeTruthy();
  fireEvent.click(within(menu).getByLabelText('Move Text up'));
  expect(titles()).toEqual(['Text', 'Name', 'Price', 'ID']);
  // At the start of the list, the focus goes to the button that still works.
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Text down');
  expect((within(menu).getByLabelText('Name') as HTMLInputElement).disabled).toBe(true);
  expect(JSON.parse(localStorage.getItem('parley.columns.test') as string).order).toEqual([
    'text',
    'name',
    'price',
    'id',
  ]);
  fireEvent.click(within(menu).getByText('Reset columns'));
  expect(titles()).toEqual(['Name', 'Text', 'ID', 'Price']);
});

test('a selected page becomes a selection of all rows until a row is deselected or the filter changes', async () => {
  const onSelect = vi.fn();
  const onSelectAll = vi.fn();
  const everything = { total: 1204, isMore: false, filter: { search: 'n' } };
  const { change } = draw({ everything, bulk: [{ key: 'x', label: 'Delete', onSelect, onSelectAll }] });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  fireEvent.click(screen.getByLabelText('Select Ann'));
  await screen.findByRole('toolbar');
  expect(screen.queryByRole('button', { name: 'Select all 1,204' })).toBeNull();
  fireEvent.click(screen.getByLabelText('Select all rows on this page'));
  expect(await screen.findByText('3 selected')).toBeTruthy();
  press('Delete');
  expect(onSelect.mock.lastCall?.[0]).toEqual(ROWS);

  press('Select all 1,204');
  expect(screen.getByText('Selected all 1,204')).toBeTruthy();
  press('Delete');
  expect(onSelectAll.mock.lastCall?.[0]).toEqual({ ...everything, at: expect.any(Number) });
  expect(onSelect).toHaveBeenCalledTimes(1);

  fireEvent.click(screen.getByLabelText('Select Ben'));
  expect(screen.getByText('2 selected')).toBeTruthy();

  fireEvent.click(screen.getByLabelText('Select all rows on this page'));
  press('Select all 1,204');
  change({ everything: { ...everything, filter: { search: 'other' } }, rows: [{ ...(ROWS[0] as Item), id: 'z' }] });
  expect(screen.queryByRole('toolbar')).toBeNull();
});

test('"Select all" names the limit of the count when there are more rows', async () => {
  const everything = { total: 10_000, isMore: true, filter: {} };
  draw({ everything, bulk: [{ key: 'x', label: 'Delete', onSelect: vi.fn(), onSelectAll: vi.fn() }] });
  fireEvent.click(screen.getByLabelText('Select all rows on this page'));
  fireEvent.click(await screen.findByRole('button', { name: 'Select all, more than 10,000' }));
  expect(screen.getByText('Selected all, more than 10,000')).toBeTruthy();
});

test('"Select all" is not offered when no action applies to all rows', async () => {
  draw({
    everything: { total: 1204, isMore: false, filter: {} },
    bulk: [{ key: 'x', label: 'Delete', onSelect: vi.fn() }],
  });
  fireEvent.click(screen.getByLabelText('Select all rows on this page'));
  await screen.findByRole('toolbar');
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
});

test('amounts reserve the space of the longest fraction so that their decimal points are aligned', () => {
  draw();
  const table = screen.getByRole('table');
  expect(table.style.getPropertyValue('--decimals-price')).toBe('4');
  expect(screen.getByText('$0').closest('td')?.textContent).toBe('$0.0075');
  expect(screen.getByText('$1').closest('td')?.textContent).toBe('$1.25');
  expect(screen.getByText('–').closest('td')?.dataset.align).toBe('decimal');
});

test('rows become cards in a narrow window', () => {
  vi.stubGlobal('innerWidth', 390);
  const onOpen = vi.fn();
  draw({ onSort: vi.fn(), sort: '-name', onOpen });
  const row = screen.getByText('Ann').closest('tr') as HTMLElement;
  expect(row.textContent).toBe('AnnFirst textPrice$0.0075');
  expect(screen.queryAllByRole('columnheader')).toEqual([]);
  expect((screen.getByLabelText('Sort by') as HTMLSelectElement).value).toBe('-name');
  fireEvent.keyDown(row, { key: 'Enter' });
  expect(onOpen).toHaveBeenCalledWith(ROWS[0]);
});

test('a card leaves out the facts that are not known, also after a change', () => {
  vi.stubGlobal('innerWidth', 390);
  const { change } = draw();
  const fact = () => screen.getByText('Cleo').closest('tr')?.querySelector('dl > div');
  expect(fact()?.hasAttribute('data-unknown')).toBe(true);
  change({ rows: ROWS.map((row) => ({ ...row, price: 10_000 })) });
  expect(fact()?.hasAttribute('data-unknown')).toBe(false);
  expect(fact()?.textContent).toBe('Price$0.01');
});
