import { formatMoney } from '../format.ts';
import { Money } from '../Money.tsx';
import type { Column } from './columns.ts';
import styles from './DataTable.module.css';

interface MoneyColumn<T, S extends string> extends Omit<Column<T, S>, 'render' | 'align' | 'decimals'> {
  micros: (row: T) => number | null;
  currency: (row: T) => string;
  /** Shows up to six decimals, for prices per message, and aligns them on the decimal point. */
  exact?: boolean;
}

/** A column of amounts whose decimal points are below each other. */
export function moneyColumn<T, S extends string>({
  micros,
  currency,
  exact = false,
  ...column
}: MoneyColumn<T, S>): Column<T, S> {
  // With two decimals everywhere, amounts that end together are aligned already.
  if (!exact)
    return { ...column, align: 'end', render: (row) => <Money micros={micros(row)} currency={currency(row)} /> };
  const split = (row: T) => splitAmount(formatMoney(micros(row), currency(row), { exact }));
  return {
    ...column,
    align: 'decimal',
    decimals: (row) => Math.max(0, split(row)[1].length - 1),
    render: (row) => {
      const [whole, fraction] = split(row);
      return (
        <span className={`tabular ${styles.amount}`}>
          {whole}
          <span className={styles.fraction}>{fraction}</span>
        </span>
      );
    },
  };
}

/** Splits an amount before its decimal point: `$0` and `.0075`. */
function splitAmount(text: string): [string, string] {
  const at = text.indexOf('.');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
