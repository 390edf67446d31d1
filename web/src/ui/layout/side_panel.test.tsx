/** @vitest-environment happy-dom */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { DataTable } from '../data/table/DataTable.tsx';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { PanelSlot } from './panel_slot.ts';
import { SidePanel } from './SidePanel.tsx';

const ROWS = ['a', 'b', 'c'];

beforeEach(() => {
  localStorage.clear();
  setWide(true);
});

function setWide(isWide: boolean): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width') ? isWide : false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}

function Page({ cover = false, start = null }: { cover?: boolean; start?: string | null }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<string | null>(start);
  return (
    <ThemeProvider>
      <PanelSlot value={slot}>
        <input aria-label="Search" />
        <DataTable
          id="test.panel"
          label="Letters"
          columns={[{ key: 'name', title: 'Name', render: (row: string) => `Letter ${row}` }]}
          rows={ROWS}
          rowKey={(row) => row}
          openKey={open}
          onOpen={setOpen}
          empty="Nothing yet"
        />
        <button type="button" onClick={() => setOpen('other')}>
          Open another record
        </button>
        <SidePanel
          open={open !== null}
          onClose={() => setOpen(null)}
          title={`Record ${open}`}
          recordId={open ?? undefined}
          cover={cover}
        >
          <button key={open} type="button">{`Edit ${open}`}</button>
        </SidePanel>
      </PanelSlot>
      <div ref={setSlot} />
    </ThemeProvider>
  );
}

const row = (name: string) => screen.getByRole('row', { name: new RegExp(`Letter ${name}`) });
const openRow = async (name: string) => {
  row(name).focus();
  fireEvent.keyDown(row(name), { key: 'Enter' });
  return screen.findByRole('complementary', { name: `Record ${name}` });
};
const focusedText = () => document.activeElement?.textContent ?? null;

test('a panel opens beside the list and takes the focus without trapping it when a row is opened', async () => {
  render(<Page />);
  const panel = await openRow('a');
  expect(document.activeElement).toBe(panel);
  expect(screen.queryByRole('dialog')).toBeNull();
  row('b').focus();
  expect(document.activeElement).toBe(row('b'));
});

test('a panel leaves the focus on the page when a link opens it', async () => {
  render(<Page start="a" />);
  await screen.findByRole('complementary', { name: 'Record a' });
  expect(document.activeElement).toBe(document.body);
});

test('the focus returns to the row of the open record when the panel closes', async () => {
  render(<Page />);
  await openRow('a');
  fireEvent.click(screen.getByRole('button', { name: 'Next record' }));
  await screen.findByRole('complementary', { name: 'Record b' });
  screen.getByRole('button', { name: 'Edit b' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Close panel' }));
  await waitFor(() => expect(document.activeElement).toBe(row('b')));
});

test('the focus returns to the opener when the record is not in the list', async () => {
  render(<Page />);
  const opener = screen.getByRole('button', { name: 'Open another record' });
  opener.focus();
  fireEvent.click(opener);
  await screen.findByRole('complementary', { name: 'Record other' });
  expect(screen.queryByRole('button', { name: 'Next record' })).toBeNull();
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test('the panel steps through the list and stops when the list ends', async () => {
  render(<Page />);
  await openRow('b');
  expect(row('b').getAttribute('aria-current')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Next record' }));
  await screen.findByRole('complementary', { name: 'Record c' });
  const next = screen.getByRole('button', { name: 'Next record' });
  expect(next.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(next);
  fireEvent.click(screen.getByRole('button', { name: 'Previous record' }));
  await screen.findByRole('complementary', { name: 'Record b' });
});

test('the panel takes the focus when its focused element disappears with the record', async () => {
  render(<Page />);
  await openRow('a');
  screen.getByRole('button', { name: 'Edit a' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Next record' }));
  const panel = await screen.findByRole('complementary', { name: 'Record b' });
  await waitFor(() => expect(document.activeElement).toBe(panel));
});

test('a panel that covers the page takes the focus when its focused element disappears', async () => {
  setWide(false);
  render(<Page />);
  fireEvent.click(row('a'));
  const dialog = await screen.findByRole('dialog', { name: 'Record a' });
  const edit = await screen.findByRole('button', { name: 'Edit a' });
  edit.focus();
  fireEvent.click(screen.getByRole('button', { name: 'Next record' }));
  await screen.findByRole('button', { name: 'Edit b' });
  await waitFor(() => expect(document.activeElement).toBe(dialog));
});

test('Esc closes the panel, but not when a field or a dialog of the page uses the key', async () => {
  render(<Page />);
  await openRow('a');
  const search = screen.getByRole('textbox', { name: 'Search' });
  search.focus();
  fireEvent.keyDown(search, { key: 'Escape' });
  const dialog = document.createElement('div');
  dialog.setAttribute('aria-modal', 'true');
  document.body.append(dialog);
  fireEvent.keyDown(row('a'), { key: 'Escape' });
  dialog.remove();
  expect(screen.getByRole('complementary', { name: 'Record a' })).toBeTruthy();
  fireEvent.keyDown(row('a'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
});

test('a widened panel stays wide when it is opened again', async () => {
  render(<Page />);
  await openRow('a');
  fireEvent.click(screen.getByRole('button', { name: 'Widen panel' }));
  fireEvent.click(screen.getByRole('button', { name: 'Close panel' }));
  await openRow('b');
  expect(screen.getByRole('button', { name: 'Narrow panel' })).toBeTruthy();
});

test('a panel covers the page as a dialog when the window is narrow or the page has no room', async () => {
  setWide(false);
  const { unmount } = render(<Page start="a" />);
  expect(await screen.findByRole('dialog', { name: 'Record a' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Widen panel' })).toBeNull();
  unmount();
  setWide(true);
  render(<Page start="a" cover />);
  expect(await screen.findByRole('dialog', { name: 'Record a' })).toBeTruthy();
});

test('the panel names the record for screen readers when the user steps through the list', async () => {
  render(<Page />);
  await openRow('a');
  expect(screen.getByRole('heading', { name: 'Record a' }).getAttribute('aria-live')).toBe('polite');
  expect(focusedText()).toContain('Record a');
});
