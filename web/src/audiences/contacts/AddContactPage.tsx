import { Button, TextInput } from '@mantine/core';
import { type Audience, createContact } from '@parley/contract/audiences/audiences.ts';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { audiencePath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { countryName } from '../numbers.ts';
import { OfAudience } from '../OfAudience.tsx';
import { ContactFields } from './ContactFields.tsx';

const EMPTY = { number: '', first_name: '', last_name: '', custom1: '', custom2: '' };

export default function AddContactPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return <OfAudience id={id}>{(audience) => <Form key={audience.id} audience={audience} />}</OfAudience>;
}

function Form({ audience }: { audience: Audience }) {
  const navigate = useNavigate();
  const { account } = useSession();
  const more = useRef(false);
  const number = useRef<HTMLInputElement>(null);
  const { form, onSubmit, sending, problem } = useContractForm(createContact, {
    initial: EMPTY,
    input: (body) => ({ params: { id: audience.id }, body }),
    labels: { custom1: 'Custom 1', custom2: 'Custom 2' },
    invalidates: ['audiences'],
    onDone: ({ data }) => {
      toast.success(`${`${data.first_name} ${data.last_name}`.trim() || `+${data.number}`} was added`);
      if (!more.current) {
        void navigate({ href: audiencePath(audience.id) });
        return;
      }
      // What was saved is what the form now holds to be untouched; the next person starts with nothing.
      form.resetDirty(EMPTY);
      form.reset();
      // The fields are drawn anew; only then is there something to focus.
      requestAnimationFrame(() => number.current?.focus());
    },
  });
  const submit = (another: boolean) => {
    more.current = another;
    onSubmit();
  };
  return (
    <>
      <Back to={audiencePath(audience.id)}>{audience.name}</Back>
      <PageHeader title="Add contact" description={`To the audience ${audience.name}.`} />
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(false);
        }}
      >
        <TextInput
          ref={number}
          label="Number"
          description={`With the country code, or as it is dialled in ${countryName(account.country_code)}.`}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          required
          data-autofocus
          key={form.key('number')}
          {...form.getInputProps('number')}
        />
        <ContactFields form={form} />
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" loading={sending && !more.current}>
            Add contact
          </Button>
          <Button variant="default" onClick={() => submit(true)} loading={sending && more.current}>
            Add and write the next
          </Button>
        </div>
      </form>
    </>
  );
}
