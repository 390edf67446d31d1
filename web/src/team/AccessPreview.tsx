import type { Permissions } from '@parley/contract/permission.ts';
import { AccessList, useAccess } from './AccessList.tsx';
import styles from './Team.module.css';

/** Appears next to the form: the menu that a user with these permissions sees, updated with every change. */
export function AccessPreview({ permissions }: { permissions: Permissions }) {
  const { menu } = useAccess(permissions);
  return (
    <aside className={styles.aside} aria-label="Access preview">
      <h2 className={styles.asideTitle}>Access preview</h2>
      <AccessList entries={menu} label="This user’s menu" />
    </aside>
  );
}
