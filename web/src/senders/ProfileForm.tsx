/**
 * The public profile of a WhatsApp sender in use. Changes are sent to WhatsApp, and errors from WhatsApp appear below
 * their fields.
 */

import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { type ProfileDraft, putProfile } from '@parley/contract/registrations/profile.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { useEffect } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { FileSlots } from './FileSlots.tsx';
import { ProfileFields } from './ProfileFields.tsx';
import styles from './Senders.module.css';

const PICTURE = ACCESS_FORMS.whatsapp.files.filter(({ dimensions }) => dimensions !== null);
const LABELS = {
  category: 'Category',
  about: 'About',
  business_description: 'Description',
  business_address: 'Address',
  business_email: 'Email',
  business_website: 'Website',
};

export const canHaveProfile = ({ channel, status }: Pick<SenderDetail, 'channel' | 'status'>): boolean =>
  channelRules(channel).profile && (status === 'available' || status === 'approved');

/** "whatsapp.about" -> "about" */
const fieldName = (field: string): string => field.slice(field.indexOf('.') + 1);

type Values = Record<string, string | null>;
/** Omits fields that were never filled in, so that WhatsApp keeps its own values. */
const toBody = (values: Values, initial: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value || initial[name]));

export function ProfileForm({ sender }: { sender: SenderDetail }) {
  const { form, bind, saveBar } = useProfileForm(sender);
  const refusals = profileRefusals(sender);
  const pictureRefusal = refusals.find(({ field }) => field.startsWith('attachments.'));
  return (
    <Form {...bind} className={styles.form} aria-label="Profile">
      <h2 className={styles.heading}>WhatsApp profile</h2>
      <p className={styles.hint}>Shown to people who view your business on WhatsApp.</p>
      <ProfileState profile={sender.profile} />
      <ProfileFields form={form} />
      <Field
        form={form}
        name="business_description"
        as={Textarea}
        label="Description"
        autosize
        minRows={3}
        maxLength={500}
      />
      <Field form={form} name="business_address" as={TextInput} label="Address" maxLength={256} />
      <Field form={form} name="business_email" as={TextInput} label="Email" type="email" maxLength={128} />
      <Field form={form} name="business_website" as={TextInput} label="Website" type="url" maxLength={256} />
      <FileSlots kind="whatsapp" sender={sender} files={PICTURE} inUse />
      <FormProblem>{pictureRefusal && `WhatsApp: ${pictureRefusal.text}`}</FormProblem>
      <SaveBar {...saveBar} save="Save profile" />
    </Form>
  );
}

const profileRefusals = ({ profile }: SenderDetail) => (profile?.state === 'refused' ? profile.refusals : []);

function useProfileForm(sender: SenderDetail) {
  const saved = sender.registration.whatsapp;
  const initial = {
    category: (saved?.category ?? null) as string | null,
    about: saved?.about ?? '',
    business_description: saved?.business_description ?? '',
    business_address: saved?.business_address ?? '',
    business_email: saved?.business_email ?? '',
    business_website: saved?.business_website ?? '',
  };
  const contractForm = useContractForm(putProfile, {
    initial,
    labels: LABELS,
    body: (values) => toBody(values, initial),
    input: (values) => ({ params: { id: sender.id }, body: toBody(values, initial) as ProfileDraft }),
    check: ({ about }) => ({
      about: initial.about !== '' && about.trim() === '' ? 'WhatsApp does not let you clear this field' : null,
    }),
    onDone: () => toast.success('The profile was saved and is being sent to WhatsApp'),
  });
  useRefusals(contractForm.form, profileRefusals(sender));
  return contractForm;
}

/** Shows errors from WhatsApp below their fields whenever the errors change. */
function useRefusals(
  { setErrors }: Pick<UseFormReturnType<Values>, 'setErrors'>,
  refusals: readonly { field: string; text: string }[],
): void {
  const content = JSON.stringify(refusals);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the content changes
  useEffect(() => {
    const fieldErrors = refusals.filter(({ field }) => field.startsWith('whatsapp.'));
    if (fieldErrors.length > 0)
      setErrors(Object.fromEntries(fieldErrors.map(({ field, text }) => [fieldName(field), `WhatsApp: ${text}`])));
  }, [content]);
}

function ProfileState({ profile }: Pick<SenderDetail, 'profile'>) {
  if (profile === null) return null;
  if (profile.state === 'waiting') return <Notice tone="wait">Your last change is being sent to WhatsApp.</Notice>;
  if (profile.state === 'refused')
    return (
      <Notice tone="fail">
        WhatsApp rejected some changes. The fields below keep their previous values on WhatsApp.
      </Notice>
    );
  return (
    <Notice tone="ok">
      {profile.take_date ? 'WhatsApp has shown this profile' : 'WhatsApp shows this profile'}
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
