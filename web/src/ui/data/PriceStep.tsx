import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Money } from './Money.tsx';

interface PriceStepProps {
  /** Null if there was no price. */
  before: number | null;
  /** Null if there is no longer a price. */
  after: number | null;
  currency: string;
}

/** How a price changed, in words: "Up from $0.04". */
export function PriceStep({ before, after, currency }: PriceStepProps) {
  if (before === null) return 'New';
  if (after === null) return 'Removed';
  const isUp = after > before;
  const Icon = isUp ? IconArrowUp : IconArrowDown;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Icon size={13} stroke={2.2} aria-hidden style={{ verticalAlign: '-1px' }} /> {isUp ? 'Up' : 'Down'} from{' '}
      <Money micros={before} currency={currency} exact />
    </span>
  );
}
