import { useLayoutEffect, useRef } from 'react';
import { NONE } from '../format.ts';
import type { Column } from './columns.ts';
import styles from './RowCard.module.css';

/** The columns of a row as a card, for narrow tables. Facts that are not known are left out. */
export function RowCard<T>({ row, columns }: { row: T; columns: readonly Column<T>[] }) {
  const parts = cardParts(columns);
  const root = useRef<HTMLDivElement>(null);
  // The texts are known only when the cells are rendered: a cell may be a date or a link.
  useLayoutEffect(() => {
    for (const part of root.current?.querySelectorAll('[data-part]') ?? [])
      part.toggleAttribute('data-unknown', (part.querySelector('dd') ?? part).textContent === NONE);
  });
  return (
    <div ref={root} className={styles.root}>
      <div className={styles.head}>
        {parts.title.map((column) => (
          <div key={column.key} className={styles.title}>
            {(column.renderCard ?? column.render)(row)}
          </div>
        ))}
        {parts.corner.map((column) => (
          <div key={column.key} className={styles.corner}>
            {(column.renderCard ?? column.render)(row)}
          </div>
        ))}
      </div>
      {parts.subtitle.map((column) => (
        <div key={column.key} className={styles.subtitle} dir="auto" data-part>
          {(column.renderCard ?? column.render)(row)}
        </div>
      ))}
      {parts.fact.length > 0 && (
        <dl className={styles.facts}>
          {parts.fact.map((column) => (
            <div key={column.key} data-part>
              {column.title !== '' && <dt>{column.title}</dt>}
              <dd>{(column.renderCard ?? column.render)(row)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

type Part = Exclude<Column<never>['card'], undefined | 'hidden'>;

function cardParts<T>(columns: readonly Column<T>[]): Record<Part, Column<T>[]> {
  const parts: Record<Part, Column<T>[]> = { title: [], corner: [], subtitle: [], fact: [] };
  const hasTitle = columns.some(({ card }) => card === 'title');
  columns.forEach((column, index) => {
    const part = column.card ?? (!hasTitle && index === 0 ? 'title' : 'fact');
    if (part !== 'hidden') parts[part].push(column);
  });
  return parts;
}
