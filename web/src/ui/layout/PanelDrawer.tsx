import { Drawer } from '@mantine/core';
import styles from './SidePanel.module.css';
import type { SidePanelProps } from './SidePanel.tsx';

/** The drawer of a panel. A default export, because it is loaded when the first panel opens. */
export default function PanelDrawer({
  open,
  onClose,
  title,
  description,
  actions,
  wide = false,
  children,
}: SidePanelProps) {
  return (
    // A plain className on the content would also apply to the surrounding box.
    <Drawer.Root
      opened={open}
      onClose={onClose}
      position="right"
      size={wide ? 680 : 480}
      classNames={{ content: styles.content ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Not a banner landmark: the page already has one. */}
        <Drawer.Header role="presentation" className={styles.header}>
          <div className={styles.words}>
            <Drawer.Title>{title}</Drawer.Title>
            {description && <div className={styles.description}>{description}</div>}
          </div>
          <Drawer.CloseButton aria-label="Close panel" />
        </Drawer.Header>
        <Drawer.Body className={styles.body}>{children}</Drawer.Body>
        {actions && <footer className={styles.footer}>{actions}</footer>}
      </Drawer.Content>
    </Drawer.Root>
  );
}
