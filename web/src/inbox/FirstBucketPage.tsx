/**
 * `/inbox`: redirects to the first inbox with unread messages, or otherwise to the first one that the user can view.
 */
import { BUCKETS, canViewBucket, getBadges } from '@parley/contract/inbox/inbox.ts';
import { needReason } from '@parley/contract/permission.ts';
import { Navigate } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { BUCKET_PATHS } from '../paths.ts';
import { NotAllowed } from '../ui/feedback/NotAllowed.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';

export default function FirstBucketPage() {
  const { permissions, user } = useSession();
  const visible = BUCKETS.filter((bucket) => canViewBucket(bucket, { user_id: user.id, permissions }));
  const badges = useEndpoint(getBadges, {}, { enabled: visible.length > 1 });
  if (visible.length === 0)
    return <NotAllowed title="Inbox" reason={needReason('MESSAGES:view')} more="Ask the account owner for access." />;
  if (badges.isFetching && !badges.data) return <PageSkeleton />;
  const counts = badges.data?.data;
  const first = visible.find((bucket) => counts && counts[bucket].unread > 0) ?? visible[0]!;
  return <Navigate to={BUCKET_PATHS[first]} replace />;
}
