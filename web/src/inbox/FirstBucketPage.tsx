/** `/inbox`: on to the first of the three inboxes that one may see. */
import { BUCKETS, canViewBucket } from '@parley/contract/inbox.ts';
import { needReason } from '@parley/contract/permission.ts';
import { Navigate } from '@tanstack/react-router';
import { useSession } from '../kernel/session.tsx';
import { NotAllowed } from '../ui/NotAllowed.tsx';
import { BUCKET_PATHS } from './buckets.ts';

export default function FirstBucketPage() {
  const { permissions, user } = useSession();
  const first = BUCKETS.find((bucket) => canViewBucket(bucket, { user_id: user.id, permissions }));
  return first ? (
    <Navigate to={BUCKET_PATHS[first]} replace />
  ) : (
    <NotAllowed title="Inbox" reason={needReason('MESSAGES:view')} more="Ask the owner of your account to change it." />
  );
}
