import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconCheck } from '@tabler/icons-react';
import type { Column, ColumnChoice } from './columns.ts';

export function ColumnMenu<T>({ columns, choice }: { columns: readonly Column<T>[]; choice: ColumnChoice<T> }) {
  const optional = columns.filter((column) => !column.fixed);
  if (optional.length < 2) return null;
  return (
    <Menu position="bottom-end" closeOnItemClick={false} withinPortal>
      <Menu.Target>
        <ActionIcon size={26} aria-label="Choose columns">
          <IconAdjustmentsHorizontal size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Columns</Menu.Label>
        {optional.map((column) => (
          <Menu.Item
            key={column.key}
            role="menuitemcheckbox"
            aria-checked={choice.isShown(column)}
            leftSection={
              <IconCheck size={14} aria-hidden style={{ visibility: choice.isShown(column) ? 'visible' : 'hidden' }} />
            }
            onClick={() => choice.toggle(column)}
          >
            {column.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
