/** The shortcuts of a list. If a page has several lists, they apply to the one with the focus, or else to the first. */
import { type RefObject, useRef } from 'react';
import type { TableKeys } from '../../ui/data/table/DataTable.tsx';
import { useShortcuts } from '../shortcuts.ts';

interface ListKeys {
  table: RefObject<TableKeys | null>;
  search: RefObject<HTMLInputElement | null>;
}

/** Elements that handle arrow keys themselves, including the rows. */
const ARROWS = 'tr, [role="tab"], [role="radio"], [role="slider"], [role="option"], input, summary, video, audio';

export function useListKeys(): ListKeys {
  const table = useRef<TableKeys>(null);
  const search = useRef<HTMLInputElement>(null);
  const isMine = () => ownsKeys(table.current?.root ?? null);
  const isOpen = () => isMine() && table.current?.isOpen === true && !document.activeElement?.closest(ARROWS);
  const move = (step: number) => () => table.current?.move(step);
  useShortcuts('List', [
    { keys: 'j', label: 'Next row', run: move(1), when: isMine, inDialogs: true },
    { keys: 'k', label: 'Previous row', run: move(-1), when: isMine, inDialogs: true },
    { keys: 'ArrowDown', label: 'Next record, while a panel is open', run: move(1), when: isOpen, inDialogs: true },
    { keys: 'ArrowUp', label: 'Previous record, while a panel is open', run: move(-1), when: isOpen, inDialogs: true },
    { keys: 'x', label: 'Select the row', run: () => table.current?.select(), when: isMine },
    {
      keys: 'Escape',
      label: 'Close the panel, or clear the selection',
      run: () => table.current?.clear(),
      // An open panel closes itself.
      when: () => isMine() && table.current?.isOpen === false && table.current.isSelecting,
    },
    {
      keys: '/',
      label: 'Search',
      run: () => {
        search.current?.focus();
        search.current?.select();
      },
      when: () => isMine() && search.current !== null,
    },
  ]);
  return { table, search };
}

const LIST = '[data-list]';
const PANEL = 'aside, [role="complementary"], [role="dialog"]';

function ownsKeys(root: HTMLElement | null): boolean {
  if (!root || isInDialog()) return false;
  const focused = document.activeElement?.closest(LIST);
  if (focused) return focused === root;
  return root === [...document.querySelectorAll(LIST)].find((list) => !list.closest(PANEL));
}

/** True if the user is in a dialog other than the panel that covers the page on narrow screens. */
function isInDialog(): boolean {
  const focused = document.activeElement?.closest('[role="dialog"]');
  const dialogs = [...document.querySelectorAll('[aria-modal="true"]'), ...(focused ? [focused] : [])];
  return dialogs.some((dialog) => !dialog.hasAttribute('data-panel'));
}
