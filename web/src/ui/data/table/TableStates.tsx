import type { ReactNode } from 'react';
import { Skeleton, skeletonWidth } from '../../feedback/Skeletons.tsx';
import type { Column } from './columns.ts';
import styles from './DataTable.module.css';

/** An error or an empty state in place of the rows. */
export function FullRow({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tbody>
      <tr>
        <td colSpan={span} className={styles.whole}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}

interface SkeletonRowsProps<T> {
  count: number;
  columns: readonly Column<T>[];
  isSelectable: boolean;
  isCards: boolean;
}

export function SkeletonRows<T>({ count, columns, isSelectable, isCards }: SkeletonRowsProps<T>) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <tr key={row} className={styles.row}>
          {isSelectable && <td className={styles.check} />}
          {isCards ? (
            <td className={styles.boneCard}>
              <Skeleton width={skeletonWidth(row, 0)} />
              <Skeleton width={skeletonWidth(row, 1)} height={10} />
            </td>
          ) : (
            columns.map((column, index) => (
              <td key={column.key} data-align={column.align} data-wide={column.narrow === false || undefined}>
                <Skeleton width={skeletonWidth(row, index)} />
              </td>
            ))
          )}
          <td className={styles.menuCell} />
        </tr>
      ))}
    </tbody>
  );
}
