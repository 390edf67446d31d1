/** The button of the log that stops new messages from appearing, and lets them appear again. */
import { Button } from '@mantine/core';
import { campaignProgressed } from '@parley/contract/campaigns/campaigns.ts';
import { listMessages } from '@parley/contract/messages/messages.ts';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { queryClient } from '../kernel/http/query.ts';
import type { List } from '../kernel/list/list.tsx';
import { onLive } from '../kernel/live/live.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';

const LOG = ['messages', listMessages.id] as const;

/** While the log is paused, only pages that were not loaded yet are fetched. */
const setLogPaused = (isPaused: boolean): void =>
  queryClient.setQueryDefaults(LOG, isPaused ? { enabled: ({ state }) => state.data === undefined } : {});

export default function LiveTail({ list }: { list: Pick<List<unknown>, 'page' | 'sort' | 'refetch'> }) {
  const [isPaused, setPaused] = useState(false);
  useCampaignRefresh();
  useEffect(() => () => setLogPaused(false), []);
  const isElsewhere = list.page > 1 || list.sort !== null;
  const toggle = () => {
    setPaused(!isPaused);
    setLogPaused(!isPaused);
    // The list gets the latest messages, and the new defaults.
    list.refetch();
  };
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Disabled reason={isElsewhere ? 'New messages appear at the top of the first page.' : null}>
      <Button variant="default" size="sm" w={104} leftSection={<Icon size={15} aria-hidden />} onClick={toggle}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </Disabled>
  );
}

/** Campaign messages send no live events, so the log is refreshed as the campaign progresses. */
function useCampaignRefresh(): void {
  useEffect(() => onLive(campaignProgressed, () => void queryClient.invalidateQueries({ queryKey: ['messages'] })), []);
}
