/** The tabs of prices: the price list, planned changes, and margins. */
import { MARGINS, PRICE_PLANS, PRICES } from '../paths.ts';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';

type Tab = typeof PRICES | typeof PRICE_PLANS | typeof MARGINS;
const TABS = [
  { path: PRICES, label: 'Price list' },
  { path: PRICE_PLANS, label: 'Planned changes' },
  { path: MARGINS, label: 'Margins' },
] as const;

export function PriceTabs({ open }: { open: Tab }) {
  return (
    <PageTabs label="Prices">
      {TABS.map(({ path, label }) => (
        <PageTab key={path} link={{ to: path }} isOpen={open === path}>
          {label}
        </PageTab>
      ))}
    </PageTabs>
  );
}
