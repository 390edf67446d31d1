import { seesSpend } from '@parley/contract/spend.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { TAB_LABELS, TABS, type Tab } from './tabs.ts';

/** The tabs that the user may view. */
export function useInsightTabs(): { key: Tab; label: string }[] {
  const { permissions } = useSession();
  const canViewCampaigns = useReason('CAMPAIGNS:view') === null;
  const isHidden = (tab: Tab) =>
    (tab === 'costs' && !seesSpend(permissions)) || (tab === 'campaigns' && !canViewCampaigns);
  return TABS.filter((tab) => !isHidden(tab)).map((key) => ({ key, label: TAB_LABELS[key] }));
}
