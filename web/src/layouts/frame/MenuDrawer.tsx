import { Drawer } from '@mantine/core';
import styles from './Frame.module.css';
import { Menu } from './Menu.tsx';

/** The menu on a narrow screen. */
export default function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={272} padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body className={styles.drawerBody}>
          <Menu folded={false} onGo={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
