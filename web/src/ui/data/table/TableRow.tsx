import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import { Tick } from '../../controls/Tick.tsx';
import type { Column, RowAction } from './columns.ts';
import styles from './DataTable.module.css';
import { decimalStyle } from './decimals.ts';
import { RowCard } from './RowCard.tsx';
import { RowMenu } from './RowMenu.tsx';

interface TableRowProps<T> {
  row: T;
  rowKey: string;
  index: number;
  name: string;
  columns: readonly Column<T>[];
  isCard: boolean;
  actions: readonly RowAction<T>[] | undefined;
  /** Undefined if rows cannot be selected. */
  selected: boolean | undefined;
  isOpen: boolean;
  isCurrent: boolean;
  onOpen: ((row: T) => void) | undefined;
  onSelect: (key: string, on: boolean) => void;
  onFocus: (index: number) => void;
  /** Reports the row's height, in a list that renders only the visible rows. */
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
}

const INTERACTIVE = 'a, button, input, label, select, textarea, [role="menu"], [role="menuitem"], [data-inner]';

function Row<T>(props: TableRowProps<T>) {
  const { row, rowKey, index, name, columns, isCard, actions, selected, isOpen, isCurrent, onOpen, onSelect } = props;

  const click = (event: MouseEvent<HTMLTableRowElement>) => {
    const target = event.target as Element;
    if (!onOpen || target.closest(INTERACTIVE) || !event.currentTarget.contains(target)) return;
    if (window.getSelection()?.type === 'Range') return;
    onOpen(row);
  };
  const press = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && onOpen) {
      event.preventDefault();
      onOpen(row);
    } else if (event.key === ' ' && selected !== undefined) {
      event.preventDefault();
      onSelect(rowKey, !selected);
    }
  };

  return (
    <tr
      ref={props.measure}
      data-index={index}
      className={styles.row}
      tabIndex={onOpen || selected !== undefined ? (isCurrent ? 0 : -1) : undefined}
      data-click={onOpen ? true : undefined}
      data-selected={selected || undefined}
      aria-current={isOpen ? 'true' : undefined}
      onClick={click}
      onKeyDown={press}
      onFocus={() => props.onFocus(index)}
    >
      {selected !== undefined && (
        <td className={styles.check}>
          <Tick
            aria-label={`Select ${name}`}
            checked={selected}
            onChange={(event) => onSelect(rowKey, event.currentTarget.checked)}
          />
        </td>
      )}
      {isCard ? (
        <td className={styles.cardCell}>
          <RowCard row={row} columns={columns} />
        </td>
      ) : (
        columns.map((column) => (
          <td
            key={column.key}
            data-align={column.align}
            data-wide={column.narrow === false || undefined}
            style={column.align === 'decimal' ? decimalStyle(column.key) : undefined}
          >
            {column.render(row)}
          </td>
        ))
      )}
      {(actions || !isCard) && (
        <td className={styles.menuCell}>
          {actions && <RowMenu row={row} name={name} actions={actions} className={styles.menu} />}
        </td>
      )}
    </tr>
  );
}

export const TableRow = memo(Row) as typeof Row;
