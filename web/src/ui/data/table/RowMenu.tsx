import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Disabled } from '../../feedback/Disabled.tsx';
import { ActionItem, ActionMenu } from '../../layout/ActionMenu.tsx';
import type { RowAction } from './columns.ts';

interface RowMenuProps<T> {
  row: T;
  /** The row's name, for the button's accessible name. */
  name: string;
  actions: readonly RowAction<T>[];
  className?: string | undefined;
}

export function RowMenu<T>({ row, name, actions, className }: RowMenuProps<T>) {
  const offered = actions.filter((action) => action.isOffered?.(row) ?? true);
  if (offered.length === 0) return null;
  return (
    <ActionMenu
      target={(props) => (
        <ActionIcon {...props} className={className} aria-label={`Actions for ${name}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      )}
    >
      {offered.map(({ key, label, icon: Icon, onSelect, reason, danger }) => (
        <Disabled key={key} reason={reason?.(row) ?? null} position="left">
          <ActionItem
            icon={Icon && <Icon size={15} stroke={1.8} aria-hidden />}
            danger={danger}
            onClick={() => onSelect(row)}
          >
            {label}
          </ActionItem>
        </Disabled>
      ))}
    </ActionMenu>
  );
}
