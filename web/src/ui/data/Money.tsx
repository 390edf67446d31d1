import { formatMoney } from './format.ts';

interface MoneyProps {
  /** The amount in integer micro-units. */
  micros: number | null | undefined;
  currency: string;
  /** Shows up to six decimals, for prices per message. */
  exact?: boolean;
}

export function Money({ micros, currency, exact = false }: MoneyProps) {
  return (
    <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {formatMoney(micros, currency, { exact })}
    </span>
  );
}
