import type { ReactNode } from 'react';
import { lazyPart } from '../feedback/lazy_part.ts';
import { OnceOpen } from '../feedback/OnceOpen.tsx';
import { usePreload } from '../feedback/usePreload.ts';
import styles from './SidePanel.module.css';

export interface SidePanelProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** The status, shown below the title. */
  description?: ReactNode;
  /** The ID of the record, shown after the description. */
  recordId?: string | undefined;
  /** Buttons, shown at the bottom. */
  actions?: ReactNode;
  /** Always covers the page, because the page has no room beside it. */
  cover?: boolean;
  children: ReactNode;
}

const loadPanel = () => import('./Panel.tsx');
const Panel = lazyPart(loadPanel);

/**
 * The panel of a record. On wide screens it opens beside the page, which stays usable; on narrow screens it covers the
 * page as a dialog. The page determines what the panel shows, usually based on the URL.
 */
export function SidePanel(props: SidePanelProps) {
  usePreload(loadPanel);
  return (
    <OnceOpen open={props.open} onClose={props.onClose}>
      <Panel {...props} />
    </OnceOpen>
  );
}

export interface FieldsProps {
  /** The key is needed if labels repeat. */
  fields: readonly { key?: string; label: string; value: ReactNode }[];
}

/** Facts as label-value pairs for panels. */
export function Fields({ fields }: FieldsProps) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ label, key = label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
