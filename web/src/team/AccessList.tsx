import type { Permissions } from '@parley/contract/permission.ts';
import { IconCircleCheck, IconLock } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { type Access, type AccessEntry, previewAccess } from './access.ts';
import styles from './Team.module.css';

export function useAccess(permissions: Permissions): Access {
  const session = useSession();
  const router = useRouter();
  return useMemo(() => previewAccess(session, permissions, router), [session, permissions, router]);
}

interface AccessListProps {
  entries: readonly AccessEntry[];
  label: string;
  withPath?: boolean;
}

/** Menu entries or pages. If the user cannot open an entry, the entry shows the reason. */
export function AccessList({ entries, label, withPath = false }: AccessListProps) {
  return (
    <ul className={styles.access} aria-label={label}>
      {entries.map(({ key, label: name, path, reason, group }) => {
        const Icon = reason ? IconLock : IconCircleCheck;
        return (
          <li key={key} data-closed={reason !== null || undefined}>
            <Icon size={15} stroke={1.8} aria-hidden />
            <span className={styles.accessText}>
              <span>
                {group && <span className={styles.accessGroup}>{group} / </span>}
                {name}
                <span className={styles.accessState}>{reason ? ' not available' : ' available'}</span>
              </span>
              {withPath && <span className={styles.accessPath}>{path}</span>}
              {reason && <span className={styles.accessReason}>{reason}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
