import type { Permissions } from '@parley/contract/permission.ts';
import { formatCount } from '../ui/data/format.ts';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import { AccessList, useAccess } from './AccessList.tsx';
import styles from './Team.module.css';

interface AccessPanelProps {
  name: string;
  permissions: Permissions;
  open: boolean;
  onClose: () => void;
}

/** The full access preview of a user: all menu entries and all pages. */
export function AccessPanel({ name, permissions, open, onClose }: AccessPanelProps) {
  const { menu, pages } = useAccess(permissions);
  const available = pages.filter(({ reason }) => reason === null).length;
  return (
    <SidePanel
      cover
      open={open}
      onClose={onClose}
      title={`Access for ${name}`}
      description={`${available} of ${formatCount(pages.length, 'page')} available`}
    >
      <h3 className={styles.accessTitle}>Menu</h3>
      <AccessList entries={menu} label="Menu" />
      <h3 className={styles.accessTitle}>Pages</h3>
      <AccessList entries={pages} label="Pages" withPath />
    </SidePanel>
  );
}
