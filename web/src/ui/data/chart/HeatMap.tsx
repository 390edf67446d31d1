/** A table whose cells are shaded by their value. Its figures are text, so that they can be read without colors. */
import type { CSSProperties, ReactNode } from 'react';
import { Skeleton } from '../../feedback/Skeletons.tsx';
import styles from './HeatMap.module.css';

interface Cell {
  /** 0 to 1: the strength of the color. */
  share: number;
  text: string;
  /** The figures behind the cell, on hover. */
  hint: string;
}

interface HeatMapProps {
  title: string;
  description: string;
  /** The title of the column with the names of the rows. */
  corner: string;
  rows: readonly string[];
  columns: readonly string[];
  isLoading: boolean;
  /** Null leaves the cell empty. */
  cell: (row: number, column: number) => Cell | null;
  empty: ReactNode;
}

export function HeatMap({ title, description, corner, rows, columns, isLoading, cell, empty }: HeatMapProps) {
  const cells = rows.map((_, row) => columns.map((__, column) => cell(row, column)));
  const isEmpty = cells.flat().every((one) => one === null);
  return (
    <section className={styles.root} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.description}>{description}</p>
      {isLoading ? (
        <Skeleton height={200} />
      ) : isEmpty ? (
        empty
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.scroller} aria-label={`${title}, table`} tabIndex={0}>
          <table className={styles.table} aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{corner}</th>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((name, row) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {columns.map((column, at) => (
                    <HeatCell key={column} cell={cells[row]?.[at] ?? null} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function HeatCell({ cell }: { cell: Cell | null }) {
  if (cell === null) return <td />;
  return (
    <td title={cell.hint} style={{ '--share': cell.share } as CSSProperties} data-on>
      {cell.text}
    </td>
  );
}
