/** The signed letter and the logo in all sizes. Missing files do not block this step; the review step lists them. */
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { useEffect } from 'react';
import { FileSlots } from '../../senders/FileSlots.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';

export function ViberDocumentsStep({ sender, saver }: StepProps) {
  useEffect(() => {
    saver.current = async () => undefined;
  });
  return (
    <div className={styles.form}>
      <FileSlots kind="viber" sender={sender} files={ACCESS_FORMS.viber.files} />
    </div>
  );
}
