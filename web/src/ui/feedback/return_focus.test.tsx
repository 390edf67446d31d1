import { Button, Menu, Modal } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { confirm } from './Confirm.tsx';

const press = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  button.focus();
  fireEvent.click(button);
  return button;
};

test('the focus returns to the opener after the first confirmation, whose code has just loaded', async () => {
  const question = { title: 'Delete it?', consequence: 'It is gone.', action: 'Delete' };
  render(<Button onClick={() => void confirm(question)}>Remove</Button>, { wrapper: ThemeProvider });
  const opener = await press('Remove');
  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement === cancel).toBe(true));
  fireEvent.click(cancel);
  await waitFor(() => expect(document.activeElement === opener).toBe(true), { timeout: 3_000 });
});

function Row() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Rows</h1>
      <Menu transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button>Actions</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen(true)}>Rename</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open && (
        <Modal opened onClose={() => setOpen(false)} title="Rename" returnFocus={false}>
          <Button data-autofocus onClick={() => setOpen(false)}>
            Done
          </Button>
        </Modal>
      )}
    </main>
  );
}

test('the focus returns to the menu button when a dialog from its menu is unmounted', async () => {
  render(<Row />, { wrapper: ThemeProvider });
  const opener = await press('Actions');
  const item = await screen.findByRole('menuitem', { name: 'Rename' });
  item.focus();
  fireEvent.click(item);
  const done = await screen.findByRole('button', { name: 'Done' });
  await waitFor(() => expect(document.activeElement === done).toBe(true));
  fireEvent.click(done);
  await waitFor(() => expect(document.activeElement === opener).toBe(true), { timeout: 3_000 });
});
