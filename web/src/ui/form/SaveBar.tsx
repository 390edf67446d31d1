/**
 * The end of an edit form: appears once the form has unsaved changes, and stays in view while the form does. A page
 * with several forms has a bar for each.
 */
import { Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Disabled } from '../feedback/Disabled.tsx';
import { FormProblem } from './FormParts.tsx';
import styles from './SaveBar.module.css';

export interface SaveBarBinding {
  isDirty: boolean;
  sending: boolean;
  /** An error that belongs to no field. */
  problem: string | null;
  onDiscard: () => void;
}

interface SaveBarProps extends SaveBarBinding {
  /** "Save company" */
  save: string;
  /** Why the user cannot save. */
  reason?: string | null;
  /** Buttons between Discard and Save. */
  children?: ReactNode;
}

export function SaveBar({ isDirty, sending, problem, onDiscard, save, reason = null, children }: SaveBarProps) {
  const isShown = isDirty || sending;
  // The bar appears while the user types, and must not cover the field.
  useEffect(() => {
    if (isShown && document.activeElement?.matches('input, textarea'))
      document.activeElement.scrollIntoView?.({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <section className={styles.root} aria-label="Unsaved changes">
      <FormProblem>{problem}</FormProblem>
      <div className={styles.row}>
        <span className={styles.text}>Unsaved changes</span>
        <Button variant="default" onClick={onDiscard} disabled={sending}>
          Discard
        </Button>
        {children}
        <Disabled reason={reason}>
          <Button type="submit" loading={sending}>
            {save}
          </Button>
        </Disabled>
      </div>
    </section>
  );
}
