import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** A status or ID, shown below the title. */
  description?: ReactNode;
  /** Buttons, shown at the bottom. */
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A panel that slides in from the right, traps focus, and closes with Esc. The page determines what the panel shows,
 * usually based on the URL.
 */
export function SidePanel({ open, onClose, title, description, actions, wide = false, children }: SidePanelProps) {
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

export interface FieldsProps {
  fields: readonly { label: string; value: ReactNode }[];
}

/** Facts as label-value pairs for panels. */
export function Fields({ fields }: FieldsProps) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
