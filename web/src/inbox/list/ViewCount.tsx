/** The number of conversations in a saved view. A default export, because it loads when the menu of views opens. */
import { getBadges } from '@parley/contract/inbox/inbox.ts';
import { listInboxViewCounts } from '@parley/contract/inbox/saved_views.ts';
import type { View } from '@parley/contract/views/views.ts';
import { useEffect } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { CountBadge } from '../../ui/data/CountBadge.tsx';

export default function ViewCount({ view }: { view: View }) {
  // The badges change whenever a conversation does.
  const badges = useEndpoint(getBadges).dataUpdatedAt;
  const { data, dataUpdatedAt, refetch } = useEndpoint(listInboxViewCounts);
  const isOld = dataUpdatedAt > 0 && badges > dataUpdatedAt;
  useEffect(() => {
    if (isOld) void refetch({ cancelRefetch: false });
  }, [isOld, refetch]);
  const count = data?.data.find(({ view_id }) => view_id === view.id);
  return count ? <CountBadge count={count.conversations} label="conversations" quiet={count.unread === 0} /> : null;
}
