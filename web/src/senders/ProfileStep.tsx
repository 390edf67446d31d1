/** What people see when they open the profile on WhatsApp. */
import { Textarea } from '@mantine/core';
import { putWhatsapp } from '@parley/contract/sender_access.ts';
import { ACCESS_FILES, PROFILE_CATEGORIES } from '@parley/contract/sender_access_form.ts';
import { SearchSelect } from '../ui/SearchSelect.tsx';
import { FileSlots } from './FileSlots.tsx';
import type { StepProps } from './PurposeSteps.tsx';
import styles from './Senders.module.css';
import { useSection } from './section.ts';

const CATEGORIES = Object.entries(PROFILE_CATEGORIES).map(([value, label]) => ({ value, label }));

export function ProfileStep({ sender, saver }: StepProps) {
  const saved = sender.registration.whatsapp;
  const form = useSection({
    endpoint: putWhatsapp,
    params: { id: sender.id },
    typed: `profile.${sender.id}`,
    saver,
    labels: { category: 'Category', about: 'About' },
    initial: { category: (saved?.category ?? null) as string | null, about: saved?.about ?? '' },
  });
  return (
    <div className={styles.form}>
      <SearchSelect
        label="Category"
        placeholder="Choose the one that fits best"
        required
        data={CATEGORIES}
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
        key={form.key('category')}
        {...form.getInputProps('category')}
      />
      <Textarea
        label="About"
        description="A line below your name, at most 139 characters."
        autosize
        minRows={2}
        maxLength={139}
        key={form.key('about')}
        {...form.getInputProps('about')}
      />
      <FileSlots kind="whatsapp" sender={sender} files={ACCESS_FILES.whatsapp} />
    </div>
  );
}
