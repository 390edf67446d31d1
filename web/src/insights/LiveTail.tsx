/** The button of the log that stops new messages from appearing, and lets them appear again. */
import { Button } from '@mantine/core';
import { campaignProgressed } from '@parley/contract/campaigns/campaigns.ts';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect } from 'react';
import { queryClient } from '../kernel/http/query.ts';
import type { List } from '../kernel/list/list.tsx';
import { onLive } from '../kernel/live/live.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';

interface LiveTailProps {
  list: Pick<List<unknown>, 'page' | 'sort'>;
  isPaused: boolean;
  onChange: (isPaused: boolean) => void;
}

export default function LiveTail({ list, isPaused, onChange }: LiveTailProps) {
  useCampaignRefresh();
  const isElsewhere = list.page > 1 || list.sort !== null;
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Disabled reason={isElsewhere ? 'New messages appear on the first page, with the newest first.' : null}>
      <Button
        variant="default"
        size="sm"
        w={104}
        leftSection={<Icon size={15} aria-hidden />}
        onClick={() => onChange(!isPaused)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </Disabled>
  );
}

/** Campaign messages send no live events, so the log is refreshed as the campaign progresses. */
function useCampaignRefresh(): void {
  useEffect(() => onLive(campaignProgressed, () => void queryClient.invalidateQueries({ queryKey: ['messages'] })), []);
}
