/** `/inbox`: on to the first of the three inboxes that one may see. */
import { BUCKETS, type Bucket, canViewBucket } from '@parley/contract/inbox.ts';
import { needReason } from '@parley/contract/permission.ts';
import { Navigate } from '@tanstack/react-router';
import { useSession } from '../kernel/session.tsx';
import { NotAllowed } from '../layouts/NotAllowed.tsx';

export const BUCKET_PATHS: Readonly<Record<Bucket, string>> = {
  self: '/inbox/assigned-to-me',
  none: '/inbox/unassigned',
  others: '/inbox/assigned-to-others',
};

export default function FirstBucketPage() {
  const { permissions, user } = useSession();
  const first = BUCKETS.find((bucket) => canViewBucket(bucket, { user_id: user.id, permissions }));
  return first ? (
    <Navigate to={BUCKET_PATHS[first]} replace />
  ) : (
    <NotAllowed title="Inbox" reason={needReason('MESSAGES:view')} />
  );
}
