/** What people see when they open a WhatsApp sender that is in use. WhatsApp is told of each change; what it does not take stands at its field. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { type ProfileDraft, putProfile } from '@parley/contract/registrations/profile.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { useEffect } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { FileSlots } from './FileSlots.tsx';
import { ProfileFields } from './ProfileFields.tsx';
import styles from './Senders.module.css';

const PICTURE = ACCESS_FORMS.whatsapp.files.filter(({ dimensions }) => dimensions !== null);

export const mayHaveProfile = ({ channel, status }: Pick<SenderDetail, 'channel' | 'status'>): boolean =>
  channel === 'WHATSAPP' && (status === 'available' || status === 'approved');

/** "whatsapp.about" -> "about" */
const nameOf = (field: string): string => field.slice(field.indexOf('.') + 1);

type Values = Record<string, string | null>;
/** What was never filled in is left as WhatsApp has it. */
const bodyOf = (values: Values, before: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value || before[name]));

export function ProfileForm({ sender }: { sender: SenderDetail }) {
  const saved = sender.registration.whatsapp;
  const refusals = sender.profile?.state === 'refused' ? sender.profile.refusals : [];
  const initial = {
    category: (saved?.category ?? null) as string | null,
    about: saved?.about ?? '',
    business_description: saved?.business_description ?? '',
    business_address: saved?.business_address ?? '',
    business_email: saved?.business_email ?? '',
    business_website: saved?.business_website ?? '',
  };
  const { form, onSubmit, sending, problem } = useContractForm(putProfile, {
    initial,
    labels: {
      category: 'Category',
      about: 'About',
      business_description: 'Description',
      business_address: 'Address',
      business_email: 'E-mail',
      business_website: 'Website',
    },
    body: (values) => bodyOf(values, initial),
    input: (values) => ({ params: { id: sender.id }, body: bodyOf(values, initial) as ProfileDraft }),
    check: ({ about }) => ({
      about: initial.about !== '' && about.trim() === '' ? 'WhatsApp does not let this be empty again' : null,
    }),
    onDone: () => toast.success('The profile was saved. WhatsApp is told of it'),
  });
  const told = JSON.stringify(refusals);
  const { setErrors } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when WhatsApp says something new
  useEffect(() => {
    const placed = refusals.filter(({ field }) => field.startsWith('whatsapp.'));
    if (placed.length > 0)
      setErrors(Object.fromEntries(placed.map(({ field, text }) => [nameOf(field), `WhatsApp: ${text}`])));
  }, [told]);
  const picture = refusals.find(({ field }) => field.startsWith('attachments.'));
  return (
    <form className={styles.form} aria-label="Profile" onSubmit={onSubmit} noValidate>
      <h2 className={styles.heading}>Profile on WhatsApp</h2>
      <p className={styles.hint}>What people see when they open your business there.</p>
      <ProfileState profile={sender.profile} />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <ProfileFields form={form} />
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxLength={500}
        key={form.key('business_description')}
        {...form.getInputProps('business_description')}
      />
      <TextInput
        label="Address"
        maxLength={256}
        key={form.key('business_address')}
        {...form.getInputProps('business_address')}
      />
      <TextInput
        label="E-mail"
        type="email"
        maxLength={128}
        key={form.key('business_email')}
        {...form.getInputProps('business_email')}
      />
      <TextInput
        label="Website"
        type="url"
        maxLength={256}
        key={form.key('business_website')}
        {...form.getInputProps('business_website')}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="default" loading={sending}>
          Save profile
        </Button>
      </div>
      <FileSlots kind="whatsapp" sender={sender} files={PICTURE} inUse />
      {picture && (
        <p className={styles.problem} role="alert">
          WhatsApp: {picture.text}
        </p>
      )}
    </form>
  );
}

function ProfileState({ profile }: Pick<SenderDetail, 'profile'>) {
  if (profile === null) return null;
  if (profile.state === 'waiting') return <Notice tone="wait">WhatsApp is being told of the last change.</Notice>;
  if (profile.state === 'refused')
    return (
      <Notice tone="fail">WhatsApp did not take everything. What is named below is as it was before there.</Notice>
    );
  return (
    <Notice tone="ok">
      WhatsApp shows this profile
      {profile.take_date && (
        <>
          {' '}
          since <DateTime value={profile.take_date} />
        </>
      )}
      .
    </Notice>
  );
}
