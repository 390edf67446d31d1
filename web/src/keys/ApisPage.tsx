/** `/apis`: redirects to the first page of the group that the user can view. */
import { needReason, permits } from '@parley/contract/permission.ts';
import { Navigate, useRouter } from '@tanstack/react-router';
import { useSession } from '../kernel/session/session.tsx';
import { KEYS, VERIFICATIONS, WEBHOOKS } from '../paths.ts';
import { NotAllowed } from '../ui/feedback/NotAllowed.tsx';

export default function ApisPage() {
  const { permissions } = useSession();
  const { routesByPath } = useRouter();
  if (permits(permissions, 'KEYS:view')) return <Navigate to={KEYS} replace />;
  if (WEBHOOKS in routesByPath && permits(permissions, 'WEBHOOKS:view')) return <Navigate to={WEBHOOKS} replace />;
  if (permits(permissions, 'MESSAGES:view')) return <Navigate to={VERIFICATIONS} replace />;
  return <NotAllowed title="APIs" reason={needReason('KEYS:view')} more="Ask the account owner for access." />;
}
