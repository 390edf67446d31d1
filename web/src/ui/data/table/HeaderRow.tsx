import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { SmallSelect } from '../../controls/SmallSelect.tsx';
import { Tick } from '../../controls/Tick.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import type { ColumnChoice } from './column_choice.ts';
import { type Column, type Sort, sortDirection } from './columns.ts';
import styles from './DataTable.module.css';

export interface HeaderRowProps<T> {
  choice: ColumnChoice<T>;
  /** Undefined if rows cannot be selected. */
  selection: { isAll: boolean; isSome: boolean } | undefined;
  disabled: boolean;
  onToggleAll: () => void;
  sort: Sort;
  onSort: ((sort: Sort) => void) | undefined;
}

export function HeaderRow<T>(props: HeaderRowProps<T>) {
  return (
    <thead>
      <tr>
        {props.selection && (
          <th scope="col" className={styles.check}>
            <SelectPage {...props} selection={props.selection} />
          </th>
        )}
        {props.choice.shown.map((column) => (
          <HeaderCell key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
        ))}
        <td className={styles.menuCell}>
          <ColumnMenu choice={props.choice} isCards={false} />
        </td>
      </tr>
    </thead>
  );
}

type SelectPageProps = Pick<HeaderRowProps<never>, 'disabled' | 'onToggleAll'> & {
  selection: { isAll: boolean; isSome: boolean };
};

function SelectPage({ selection, disabled, onToggleAll }: SelectPageProps) {
  return (
    <Tick
      aria-label="Select all rows on this page"
      checked={selection.isAll}
      indeterminate={selection.isSome}
      disabled={disabled}
      onChange={onToggleAll}
    />
  );
}

interface HeaderCellProps<T> {
  column: Column<T>;
  sort: Sort;
  onSort: ((sort: Sort) => void) | undefined;
}

/** A click sorts ascending, the next one descending, and the third one returns to the list's own order. */
function HeaderCell<T>({ column, sort, onSort }: HeaderCellProps<T>) {
  const { title, align, narrow, width, sort: name } = column;
  const cell = {
    'data-align': align,
    'data-wide': narrow === false || undefined,
    style: width === undefined ? undefined : { width },
  };
  if (title === '') return <td {...cell} />;
  if (!onSort || name === undefined) {
    return (
      <th scope="col" {...cell}>
        {title}
      </th>
    );
  }
  const direction = sortDirection(column, sort);
  const Icon = direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconSelector;
  return (
    <th scope="col" aria-sort={direction ?? 'none'} {...cell}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(direction === null ? name : direction === 'ascending' ? `-${name}` : null)}
      >
        {title}
        <Icon size={13} aria-hidden />
      </button>
    </th>
  );
}

/** The header of a table whose rows are cards: selection, order, and columns in one line. */
export function CardHeader<T>({ choice, selection, disabled, onToggleAll, sort, onSort }: HeaderRowProps<T>) {
  const sortable = onSort ? choice.ordered.filter((column) => column.sort !== undefined) : [];
  return (
    <div className={styles.cardTools}>
      {selection && <SelectPage selection={selection} disabled={disabled} onToggleAll={onToggleAll} />}
      {sortable.length > 0 && (
        <SmallSelect
          aria-label="Sort by"
          value={sort ?? ''}
          data={[
            { value: '', label: 'Default order' },
            ...sortable.flatMap((column) => [
              { value: column.sort ?? '', label: `${column.title}, ascending` },
              { value: `-${column.sort}`, label: `${column.title}, descending` },
            ]),
          ]}
          onChange={(value) => onSort?.(value || null)}
        />
      )}
      <span className={styles.cardColumns}>
        <ColumnMenu choice={choice} isCards />
      </span>
    </div>
  );
}
