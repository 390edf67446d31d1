import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './SidePanel.module.css';

export interface SidePanelProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Below the title: status, id. */
  description?: ReactNode;
  /** Buttons at the foot. */
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** Slides in from the right over a list, holds the focus, closes by Esc. What it shows is decided by the page (usually by the URL). */
export function SidePanel({ open, onClose, title, description, actions, wide = false, children }: SidePanelProps) {
  return (
    // A plain className on the content would also land on the box around it.
    <Drawer.Root
      opened={open}
      onClose={onClose}
      position="right"
      size={wide ? 680 : 480}
      classNames={{ content: styles.content ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        {/* A dialog has no banner: the one of the page is the only one. */}
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

/** Label above value, for what a panel tells about a thing. */
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
