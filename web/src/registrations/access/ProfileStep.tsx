/** The public WhatsApp profile. */

import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { putWhatsapp } from '@parley/contract/registrations/access.ts';
import { FileSlots } from '../../senders/FileSlots.tsx';
import { ProfileFields } from '../../senders/ProfileFields.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';

export function ProfileStep({ sender, saver }: StepProps) {
  const saved = sender.registration.whatsapp;
  const form = useSection({
    endpoint: putWhatsapp,
    params: { id: sender.id },
    draftKey: `profile.${sender.id}`,
    saver,
    labels: { category: 'Category', about: 'About' },
    initial: { category: (saved?.category ?? null) as string | null, about: saved?.about ?? '' },
  });
  return (
    <div className={styles.form}>
      <ProfileFields form={form} isReviewed />
      <FileSlots kind="whatsapp" sender={sender} files={ACCESS_FORMS.whatsapp.files} />
    </div>
  );
}
