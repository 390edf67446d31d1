/** Shown in an empty inbox: links to the inboxes with unread messages. The menu has already loaded the counts. */
import { Button } from '@mantine/core';
import { BUCKETS, type Bucket, getBadges } from '@parley/contract/inbox/inbox.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { linkToAddress, unreadPath } from '../paths.ts';
import { formatCount } from '../ui/data/format.ts';

const NAMES: Readonly<Record<Bucket, string>> = {
  self: 'Assigned to me',
  none: 'Unassigned',
  others: 'Assigned to others',
};

export function OtherInboxes({ bucket }: { bucket: Bucket }) {
  const badges = useEndpoint(getBadges).data?.data;
  // Inboxes that the user cannot view count as having no unread messages.
  const others = BUCKETS.filter((one) => one !== bucket && badges && badges[one].conversations > 0);
  return others.map((one) => (
    <Button key={one} component={Link} {...linkToAddress(unreadPath(one))} variant="default">
      {formatCount(badges![one].conversations, 'unread conversation')} in {NAMES[one]}
    </Button>
  ));
}
