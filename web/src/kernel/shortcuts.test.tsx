/** Tests which keys trigger the shortcuts of a page, and where they do nothing. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { EVERYWHERE, type Shortcut, useShortcutGroups, useShortcuts } from './shortcuts.ts';

afterEach(cleanup);

const press = (element: Element, key: string, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(element, { key, bubbles: true, ...more });

function Page({ group = 'List', shortcuts }: { group?: string; shortcuts: readonly Shortcut[] }) {
  useShortcuts(group, shortcuts);
  return null;
}

test('a shortcut fires when one of its keys is pressed', () => {
  const run = vi.fn();
  render(<Page shortcuts={[{ keys: ['J', 'ArrowDown'], label: 'Next', run }]} />);
  press(document.body, 'j');
  press(document.body, 'ArrowDown');
  press(document.body, 'k');
  press(document.body, 'j', { ctrlKey: true });
  press(document.body, 'J', { shiftKey: true });
  expect(run).toHaveBeenCalledTimes(2);
});

test('a shortcut with mod fires in text fields', () => {
  const run = vi.fn();
  render(
    <>
      <Page shortcuts={[{ keys: 'mod+K', label: 'Search', run }]} />
      <input aria-label="Name" />
    </>,
  );
  press(screen.getByLabelText('Name'), 'k', { metaKey: true });
  press(document.body, 'k', { ctrlKey: true });
  press(document.body, 'k');
  expect(run).toHaveBeenCalledTimes(2);
});

test.each([
  ['a text field', <input key="field" data-testid="target" />],
  ['a text area', <textarea key="area" data-testid="target" />],
  [
    'an open menu',
    <div key="menu" role="menu">
      <button type="button" data-testid="target" />
    </div>,
  ],
  [
    'a dialog',
    <div key="dialog" role="dialog">
      <button type="button" data-testid="target" />
    </div>,
  ],
])('a shortcut does nothing when the focus is in %s', (_, place) => {
  const run = vi.fn();
  render(
    <>
      <Page shortcuts={[{ keys: 'J', label: 'Next', run }]} />
      {place}
    </>,
  );
  press(screen.getByTestId('target'), 'j');
  expect(run).not.toHaveBeenCalled();
});

test('a shortcut does nothing when a modal dialog is open, unless it works inside dialogs', () => {
  const [behind, inside] = [vi.fn(), vi.fn()];
  render(
    <>
      <Page
        shortcuts={[
          { keys: 'J', label: 'Next', run: behind },
          { keys: 'A', label: 'Approve', run: inside, inDialogs: true },
        ]}
      />
      <div role="dialog" aria-modal="true" />
    </>,
  );
  press(document.body, 'j');
  press(document.body, 'a');
  expect(behind).not.toHaveBeenCalled();
  expect(inside).toHaveBeenCalledOnce();
});

test('Enter presses the focused button instead of a shortcut', () => {
  const run = vi.fn();
  render(
    <>
      <Page shortcuts={[{ keys: 'Enter', label: 'Open', run }]} />
      <button type="button">Save</button>
    </>,
  );
  press(screen.getByRole('button'), 'Enter');
  expect(run).not.toHaveBeenCalled();
  press(document.body, 'Enter');
  expect(run).toHaveBeenCalledOnce();
});

test('the later declaration of a key wins while its condition holds', () => {
  const [early, late] = [vi.fn(), vi.fn()];
  let open = true;
  render(
    <>
      <Page shortcuts={[{ keys: 'J', label: 'Next row', run: early }]} />
      <Page group="Panel" shortcuts={[{ keys: 'J', label: 'Next record', run: late, when: () => open }]} />
    </>,
  );
  press(document.body, 'j');
  open = false;
  press(document.body, 'j');
  expect([early.mock.calls.length, late.mock.calls.length]).toEqual([1, 1]);
});

test('the groups list every shortcut once, with those of every page last', () => {
  const Groups = () => (
    <ul>
      {useShortcutGroups().map(({ name, shortcuts }) => (
        <li key={name}>{`${name}: ${shortcuts.map(({ label }) => label).join(', ')}`}</li>
      ))}
    </ul>
  );
  const run = () => {};
  const { rerender } = render(
    <>
      <Groups />
      <Page group={EVERYWHERE} shortcuts={[{ keys: 'mod+K', label: 'Search', run }]} />
      <Page shortcuts={[{ keys: 'J', label: 'Next', run }]} />
      <Page shortcuts={[{ keys: 'J', label: 'Next', run }]} />
    </>,
  );
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['List: Next', 'Everywhere: Search']);
  rerender(<Groups />);
  expect(screen.queryAllByRole('listitem')).toEqual([]);
});
