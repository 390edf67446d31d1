import type { Permissions } from '@parley/contract/permission.ts';
import { IconCircleCheck, IconLock } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { formatCount } from '../ui/data/format.ts';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import { type Seen, type Sight, sightOf } from './sight.ts';
import styles from './Team.module.css';

export function useSight(permissions: Permissions): Sight {
  const session = useSession();
  const router = useRouter();
  return useMemo(() => sightOf(session, permissions, router), [session, permissions, router]);
}

/** Every entry of the menu and every page, as this person finds them. */
export function SightPanel({
  name,
  permissions,
  open,
  onClose,
}: {
  name: string;
  permissions: Permissions;
  open: boolean;
  onClose: () => void;
}) {
  const { menu, pages } = useSight(permissions);
  const count = pages.filter(({ reason }) => reason === null).length;
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={`What ${name} sees`}
      description={`${count} of ${formatCount(pages.length, 'page')} are open`}
    >
      <h3 className={styles.sightTitle}>Menu</h3>
      <SightList seen={menu} label="Menu" />
      <h3 className={styles.sightTitle}>Pages</h3>
      <SightList seen={pages} label="Pages" withPath />
    </SidePanel>
  );
}

export function SightList({
  seen,
  label,
  withPath = false,
}: {
  seen: readonly Seen[];
  label: string;
  withPath?: boolean;
}) {
  return (
    <ul className={styles.sight} aria-label={label}>
      {seen.map(({ key, label: name, path, reason, under }) => {
        const Icon = reason ? IconLock : IconCircleCheck;
        return (
          <li key={key} data-closed={reason !== null || undefined}>
            <Icon size={15} stroke={1.8} aria-hidden />
            <span className={styles.sightWords}>
              <span>
                {under && <span className={styles.sightUnder}>{under} / </span>}
                {name}
                <span className={styles.sightState}>{reason ? ' closed' : ' open'}</span>
              </span>
              {withPath && <span className={styles.sightPath}>{path}</span>}
              {reason && <span className={styles.sightReason}>{reason}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
