import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { Column, ColumnChoice } from './columns.ts';

export function ColumnMenu<T>({ columns, choice }: { columns: readonly Column<T>[]; choice: ColumnChoice<T> }) {
  const optional = columns.filter((column) => !column.fixed);
  if (optional.length < 2) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size={26} aria-label="Choose columns">
          <IconAdjustmentsHorizontal size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Columns</Menu.Label>
        {optional.map((column) => (
          <Menu.CheckboxItem key={column.key} checked={choice.isShown(column)} onChange={() => choice.toggle(column)}>
            {column.title}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
