import { Button, CloseButton } from '@mantine/core';
import { Disabled } from '../../feedback/Disabled.tsx';
import { formatNumber } from '../format.ts';
import type { BulkAction } from './columns.ts';
import styles from './DataTable.module.css';

interface BulkBarProps<T> {
  rows: T[];
  actions: readonly BulkAction<T>[];
  onClear: () => void;
}

/** The number of selected rows and the actions for them. Appears when the first row is selected. */
export function BulkBar<T>({ rows, actions, onClear }: BulkBarProps<T>) {
  if (rows.length === 0) return null;
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Actions for selected rows">
      <span className={styles.bulkCount} role="status">
        {formatNumber(rows.length)} selected
      </span>
      {actions.map(({ key, label, icon: Icon, onSelect, reason, danger }) => (
        <Disabled key={key} reason={reason?.(rows) ?? null}>
          <Button
            size="xs"
            variant={danger ? 'light' : 'default'}
            {...(danger ? { color: 'red' } : {})}
            leftSection={Icon && <Icon size={14} aria-hidden />}
            onClick={() => onSelect(rows, onClear)}
          >
            {label}
          </Button>
        </Disabled>
      ))}
      <CloseButton aria-label="Clear selection" onClick={onClear} size="sm" />
    </div>
  );
}
