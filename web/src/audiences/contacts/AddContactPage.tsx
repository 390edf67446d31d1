import { Button } from '@mantine/core';
import { type Audience, createContact } from '@parley/contract/audiences/audiences.ts';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { audiencePath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AudienceRecord } from '../AudienceRecord.tsx';
import styles from '../Audiences.module.css';
import { type FactValues, factBody, factValues, useContactFields } from '../people/contact_fields.ts';
import { FactFields } from '../people/FactFields.tsx';
import { ContactFields } from './ContactFields.tsx';
import { contactName } from './ContactPanel.tsx';
import { NumberField } from './NumberField.tsx';

const EMPTY = { number: '', first_name: '', last_name: '', custom1: '', custom2: '' };

const withoutNulls = (values: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

type ContactValues = typeof EMPTY & FactValues;
/** Fields without a value do not change, because the person may already be in another audience. */
const toBody = ({ tags, language, timezone, fields, channel_ids, ...texts }: ContactValues) => {
  const facts = factBody({ tags, language, timezone, fields, channel_ids });
  return {
    ...texts,
    tags,
    fields: withoutNulls(facts.fields),
    channel_ids: withoutNulls(facts.channel_ids),
    ...(language ? { language } : {}),
    ...(timezone ? { timezone } : {}),
  };
};

export default function AddContactPage() {
  const fields = useContactFields();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return (
    <AudienceRecord id={id}>
      {(audience) => <ContactForm key={`${audience.id} ${fields.length}`} audience={audience} fields={fields} />}
    </AudienceRecord>
  );
}

function ContactForm({ audience, fields }: { audience: Audience; fields: readonly ContactField[] }) {
  const empty: ContactValues = { ...EMPTY, ...factValues(fields) };
  const navigate = useNavigate();
  const addsAnother = useRef(false);
  const number = useRef<HTMLInputElement>(null);
  const { form, onSubmit, sending, problem } = useContractForm(createContact, {
    initial: empty,
    draft: useSavedDraft(`contact.${audience.id}`, empty),
    body: toBody,
    input: (values) => ({ params: { id: audience.id }, body: toBody(values) }),
    labels: { custom1: 'Custom 1', custom2: 'Custom 2' },
    invalidates: ['audiences'],
    onDone: ({ data }) => {
      toast.success(`${contactName(data)} added`);
      if (!addsAnother.current) {
        void navigate({ href: audiencePath(audience.id) });
        return;
      }
      // Clears the form for the next contact, so that it has no unsaved changes.
      form.resetDirty(empty);
      form.reset();
      // The reset replaces the fields, so the focus has to wait for the next frame.
      requestAnimationFrame(() => number.current?.focus());
    },
  });
  const submit = (another: boolean) => {
    addsAnother.current = another;
    onSubmit();
  };
  return (
    <>
      <Back to={audiencePath(audience.id)}>{audience.name}</Back>
      <PageHeader title="Add contact" description={`The contact is added to ${audience.name}.`} />
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(false);
        }}
      >
        <NumberField form={form} inputRef={number} />
        <ContactFields form={form} />
        <FactFields form={form} fields={fields} />
        <FormFooter problem={problem}>
          <Button type="submit" loading={sending && !addsAnother.current}>
            Add contact
          </Button>
          <Button variant="default" onClick={() => submit(true)} loading={sending && addsAnother.current}>
            Save and add another
          </Button>
        </FormFooter>
      </form>
    </>
  );
}
