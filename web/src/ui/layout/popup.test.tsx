/** @vitest-environment happy-dom */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Popup } from './Popup.tsx';

const opened = vi.fn();
beforeEach(() => {
  opened.mockClear();
  render(
    <>
      <Popup label="Balance" onOpen={opened} target={(props) => <button {...props}>$5.00</button>}>
        {(close) => (
          <button type="button" onClick={close}>
            Add funds
          </button>
        )}
      </Popup>
      <button type="button">Elsewhere</button>
    </>,
  );
});
const target = () => screen.getByRole('button', { name: '$5.00' });
const dialog = () => screen.queryByRole('dialog', { name: 'Balance' });

test('a popup opens from its button, which announces it', () => {
  expect(target().getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(target());
  expect(dialog()?.id).toBe(target().getAttribute('aria-controls'));
  expect(opened).toHaveBeenCalledOnce();
  fireEvent.click(target());
  expect(dialog()).toBeNull();
});

test('Esc closes a popup and returns the focus to its button', () => {
  fireEvent.click(target());
  screen.getByRole('button', { name: 'Add funds' }).focus();
  fireEvent.keyDown(screen.getByRole('button', { name: 'Add funds' }), { key: 'Escape' });
  expect(dialog()).toBeNull();
  expect(document.activeElement).toBe(target());
});

test('a popup closes when the user clicks outside, moves the focus away, or takes its action', () => {
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
  fireEvent.click(target());
  fireEvent.pointerDown(elsewhere);
  expect(dialog()).toBeNull();
  fireEvent.click(target());
  fireEvent.blur(target(), { relatedTarget: elsewhere });
  expect(dialog()).toBeNull();
  fireEvent.click(target());
  fireEvent.click(screen.getByRole('button', { name: 'Add funds' }));
  expect(dialog()).toBeNull();
});

const users = (isLoaded: boolean) => (
  <Popup label="Users" takesFocus target={(props) => <button {...props}>Assign</button>}>
    {() => (isLoaded ? <input aria-label="Search users" data-autofocus /> : <p>Loading</p>)}
  </Popup>
);

test('a popup takes the focus while its content loads, and gives it to the content', async () => {
  cleanup();
  const { rerender } = render(users(false));
  fireEvent.click(screen.getByRole('button', { name: 'Assign' }));
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Users' }));
  rerender(users(true));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search users' })));
});

test('content that loads later leaves the focus alone if the user has moved it', async () => {
  cleanup();
  const { rerender } = render(users(false));
  const target = screen.getByRole('button', { name: 'Assign' });
  fireEvent.click(target);
  target.focus();
  rerender(users(true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(target);
});
