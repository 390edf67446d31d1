import type { ReactNode } from 'react';
import { lazyPart } from '../feedback/lazy_part.ts';
import { OnceOpen } from '../feedback/OnceOpen.tsx';
import { usePreload } from '../feedback/usePreload.ts';
import styles from './SidePanel.module.css';

export interface SidePanelProps {
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

const loadDrawer = () => import('./PanelDrawer.tsx');
const PanelDrawer = lazyPart(loadDrawer);

/**
 * A panel that slides in from the right, traps focus, and closes with Esc. The page determines what the panel shows,
 * usually based on the URL.
 */
export function SidePanel(props: SidePanelProps) {
  usePreload(loadDrawer);
  return (
    <OnceOpen open={props.open} onClose={props.onClose}>
      <PanelDrawer {...props} />
    </OnceOpen>
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
