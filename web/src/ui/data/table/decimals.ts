/** Aligns amounts on the decimal point: all rows of a column reserve the space of the longest fraction on the page. */
import type { CSSProperties } from 'react';
import type { Column } from './columns.ts';

const variable = (key: string) => `--decimals-${key.replace(/\W/g, '_')}`;

/** The longest fraction of each decimal column, as CSS variables of the table. */
export function decimalVariables<T>(columns: readonly Column<T>[], rows: readonly T[] | undefined): CSSProperties {
  const entries = columns.flatMap(({ key, align, decimals }) =>
    align === 'decimal' && decimals
      ? [[variable(key), rows?.reduce((most, row) => Math.max(most, decimals(row)), 0) ?? 0]]
      : [],
  );
  return Object.fromEntries(entries);
}

/** The style of a cell. It refers to the table's variable, so that cells do not change when the rows do. */
export const decimalStyle = (key: string): CSSProperties =>
  ({ '--decimals': `var(${variable(key)}, 0)` }) as CSSProperties;
