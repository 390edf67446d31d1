/**
 * The public profile of a sender in use. Changes are sent to the carrier, and the carrier's errors appear below the
 * fields.
 */

import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ACCESS_FORMS, type ProfileDraft } from '@parley/contract/channels/access.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { putProfile } from '@parley/contract/registrations/profile.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { useEffect } from 'react';
import { ACCESS_VIEWS } from '../channels/access.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { FileSlots } from './FileSlots.tsx';
import styles from './Senders.module.css';

const LABELS = {
  business_description: 'Description',
  business_address: 'Address',
  business_email: 'Email',
  business_website: 'Website',
};

export const canHaveProfile = ({ channel, status }: Pick<SenderDetail, 'channel' | 'status'>): boolean =>
  channelRules(channel).profile && (status === 'available' || status === 'approved');

const isFile = (field: string): boolean => field.startsWith('attachments.');

type Values = Record<string, string | null>;
/** Omits fields that were never filled in, so that the carrier keeps its own values. */
const toBody = (values: Values, initial: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value || initial[name]));

export function ProfileForm({ sender }: { sender: SenderDetail }) {
  const { form, bind, saveBar } = useProfileForm(sender);
  const refusals = profileRefusals(sender);
  const pictureRefusal = refusals.find(({ field }) => isFile(field));
  const { kind, label, view } = readChannel(sender);
  const pictures = ACCESS_FORMS[kind].files.filter(({ dimensions }) => dimensions !== null);
  return (
    <Form {...bind} className={styles.form} aria-label="Profile">
      <h2 className={styles.heading}>{label} profile</h2>
      <p className={styles.hint}>Shown to people who view your business on {label}.</p>
      <ProfileState profile={sender.profile} carrier={label} />
      {view && <view.Fields form={form} sender_id={sender.id} inUse />}
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
      <FileSlots kind={kind} sender={sender} files={pictures} inUse />
      <FormProblem>{pictureRefusal && `${label}: ${pictureRefusal.text}`}</FormProblem>
      <SaveBar {...saveBar} save="Save profile" />
    </Form>
  );
}

const profileRefusals = ({ profile }: SenderDetail) => (profile?.state === 'refused' ? profile.refusals : []);

function readChannel({ channel }: SenderDetail) {
  const { access, label } = channelRules(channel);
  const kind = access!;
  return { kind, label, view: ACCESS_VIEWS[kind].profile };
}

function useProfileForm(sender: SenderDetail) {
  const { kind, label, view } = readChannel(sender);
  const saved = sender.registration[kind];
  const initial: Values = {
    ...(view?.initial(saved) as Values),
    business_description: saved?.business_description ?? '',
    business_address: saved?.business_address ?? '',
    business_email: saved?.business_email ?? '',
    business_website: saved?.business_website ?? '',
  };
  const contractForm = useContractForm(putProfile, {
    initial,
    labels: { ...LABELS, ...view?.labels },
    body: (values) => toBody(values, initial),
    input: (values) => ({ params: { id: sender.id }, body: toBody(values, initial) as ProfileDraft }),
    check: ({ about }) => ({
      about: initial.about && about?.trim() === '' ? `${label} does not let you clear this field` : null,
    }),
    onDone: () => toast.success(`The profile was saved and is being sent to ${label}`),
  });
  useRefusals(contractForm.form, profileRefusals(sender), label);
  return contractForm;
}

/** Shows the carrier's errors below the fields whenever the errors change. */
function useRefusals(
  { setErrors }: Pick<UseFormReturnType<Values>, 'setErrors'>,
  refusals: readonly { field: string; text: string }[],
  label: string,
): void {
  const content = JSON.stringify(refusals);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the content changes
  useEffect(() => {
    const fieldErrors = refusals.filter(({ field }) => !isFile(field));
    if (fieldErrors.length > 0)
      // A field's path consists of the kind of form and the field's name.
      setErrors(Object.fromEntries(fieldErrors.map(({ field, text }) => [field.split('.')[1]!, `${label}: ${text}`])));
  }, [content]);
}

function ProfileState({ profile, carrier }: Pick<SenderDetail, 'profile'> & { carrier: string }) {
  if (profile === null) return null;
  if (profile.state === 'waiting') return <Notice tone="wait">Your last change is being sent to {carrier}.</Notice>;
  if (profile.state === 'refused')
    return (
      <Notice tone="fail">
        {carrier} rejected some changes. The fields below keep their previous values on {carrier}.
      </Notice>
    );
  return (
    <Notice tone="ok">
      {profile.take_date ? `${carrier} has shown this profile` : `${carrier} shows this profile`}
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
