import type { Permissions } from '@parley/contract/permission.ts';
import { SightList, useSight } from './SightPanel.tsx';
import styles from './Team.module.css';

/** Beside the form: what the menu of this person will look like, at once. */
export function SightAside({ permissions }: { permissions: Permissions }) {
  const { menu } = useSight(permissions);
  return (
    <aside className={styles.aside} aria-label="What this user sees">
      <h2 className={styles.asideTitle}>What this user sees</h2>
      <SightList seen={menu} label="Menu of this user" />
    </aside>
  );
}
