import { Button, CloseButton } from '@mantine/core';
import { Disabled } from '../../feedback/Disabled.tsx';
import { formatNumber } from '../format.ts';
import type { AllRows, BulkAction } from './columns.ts';
import styles from './DataTable.module.css';
import type { Selection } from './selection.ts';

interface BulkBarProps<T> {
  selection: Selection<T>;
  actions: readonly BulkAction<T>[];
  /** All rows of the list, if there are more than on this page. */
  everything: AllRows | undefined;
}

/** "all 1,204", or "all, more than 10,000" if the rows were not counted to the end. */
const allText = ({ total, isMore }: AllRows) => `all${isMore ? ', more than' : ''} ${formatNumber(total)}`;

/** The number of selected rows and the actions for them. Appears when the first row is selected. */
export default function BulkBar<T>({ selection, actions, everything }: BulkBarProps<T>) {
  const { rows, all, isPageSelected, selectAll, clear } = selection;
  if (!all && rows.length === 0) return null;
  const canSelectAll = everything !== undefined && isPageSelected && actions.some((action) => action.onSelectAll);
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Actions for selected rows">
      <span className={styles.bulkCount} role="status">
        {all ? `Selected ${allText(all)}` : `${formatNumber(rows.length)} selected`}
      </span>
      {!all && canSelectAll && (
        <Button size="xs" variant="subtle" onClick={selectAll}>
          {`Select ${allText(everything)}`}
        </Button>
      )}
      {actions.map(({ key, label, icon: Icon, onSelect, onSelectAll, reason, danger }) => (
        <Disabled
          key={key}
          reason={reason?.(rows) ?? (all && !onSelectAll ? 'Select rows on a single page for this action.' : null)}
        >
          <Button
            size="xs"
            variant={danger ? 'light' : 'default'}
            {...(danger ? { color: 'red' } : {})}
            leftSection={Icon && <Icon size={14} aria-hidden />}
            onClick={() => (all ? onSelectAll?.(all, clear) : onSelect(rows, clear))}
          >
            {label}
          </Button>
        </Disabled>
      ))}
      <CloseButton aria-label="Clear selection" onClick={clear} size="sm" />
    </div>
  );
}
