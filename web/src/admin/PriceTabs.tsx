/** The tabs of prices, from the price list to carrier statements. The open tab is in the URL. */
import { PRICES } from '../paths.ts';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';

export type PriceTab = 'list' | 'planned' | 'volume' | 'margins' | 'carriers';
const TABS = [
  { tab: 'list', label: 'Price list' },
  { tab: 'planned', label: 'Planned changes' },
  { tab: 'volume', label: 'Volume prices' },
  { tab: 'margins', label: 'Margins' },
  { tab: 'carriers', label: 'Carrier statements' },
] as const;

export function PriceTabs({ open }: { open: PriceTab }) {
  return (
    <PageTabs label="Prices">
      {TABS.map(({ tab, label }) => (
        <PageTab
          key={tab}
          link={{ to: PRICES, search: (tab === 'list' ? {} : { tab }) as never }}
          isOpen={open === tab}
        >
          {label}
        </PageTab>
      ))}
    </PageTabs>
  );
}
