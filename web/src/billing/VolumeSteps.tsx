import { formatNumber } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';

interface VolumeStepsProps {
  steps: readonly { above_units: number; price_micros: number }[];
  currency: string;
}

/** The prices of a volume, one per line: "Above 10,000: $0.038". */
export function VolumeSteps({ steps, currency }: VolumeStepsProps) {
  if (steps.length === 0) return 'None';
  return (
    <span style={{ display: 'inline-flex', flexDirection: 'column', padding: '4px 0', whiteSpace: 'nowrap' }}>
      {steps.map(({ above_units, price_micros }) => (
        <span key={above_units}>
          Above {formatNumber(above_units)}: <Money micros={price_micros} currency={currency} exact />
        </span>
      ))}
    </span>
  );
}
