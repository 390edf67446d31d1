/**
 * The actions that each permission allows in this account. The list of all endpoints is large, so it is loaded on
 * demand.
 */
import { type PermissionUses, permissionUses } from '@parley/contract/team/permission_uses.ts';
import { useEffect, useState } from 'react';
import { useSession } from '../kernel/session/session.tsx';

export function usePermissionUses({ keys = false }: { keys?: boolean } = {}): PermissionUses | null {
  const { operator } = useSession().account;
  const [uses, setUses] = useState<PermissionUses | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    void import('@parley/contract/index.ts').then(({ ENDPOINTS }) => {
      if (!isUnmounted) setUses(permissionUses(ENDPOINTS, { operator, keys }));
    });
    return () => {
      isUnmounted = true;
    };
  }, [operator, keys]);
  return uses;
}
