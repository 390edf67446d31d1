import { Button, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconSend } from '@tabler/icons-react';
import { ApiError } from '../kernel/http/client.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { CountrySelect } from '../ui/form/CountrySelect.tsx';
import { ErrorSummary } from '../ui/form/ErrorSummary.tsx';
import { Field } from '../ui/form/Field.tsx';
import { FormFooter, Pair } from '../ui/form/FormParts.tsx';
import { NameFields } from '../ui/form/NameFields.tsx';
import { PasswordText } from '../ui/form/PasswordText.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';

const VALUES = {
  first_name: 'Dana',
  last_name: 'Quill',
  email: 'dana@',
  password: '',
  country: 'AM',
  schedule: 'daily' as string | null,
  limit: 500 as number | string,
  note: '',
  enabled: true,
};

export function FormSpecimens() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: VALUES,
    initialErrors: { email: 'Email is not a valid email!' },
  });
  return (
    <>
      <Specimen title="Form: bound fields, names side by side, footer">
        <form className={styles.card} style={{ display: 'grid', gap: 16 }} onSubmit={form.onSubmit(() => {})}>
          <Pair>
            <NameFields form={form} />
          </Pair>
          <Pair>
            <Field form={form} name="email" as={TextInput} label="Email" autoComplete="off" />
            <Field form={form} name="password" as={PasswordText} label="Password" autoComplete="off" />
          </Pair>
          <Pair>
            <Field form={form} name="country" as={CountrySelect} label="Country" />
            <Field form={form} name="schedule" as={Select} label="Report" data={['daily', 'weekly']} />
          </Pair>
          <Field form={form} name="limit" as={NumberInput} label="Daily limit" suffix=" messages" min={1} />
          <Field form={form} name="note" as={Textarea} label="Note" optional description="Only your team sees it." />
          <Field form={form} name="enabled" as={Switch} type="checkbox" label="Enabled" />
          <FormFooter problem="The request could not be completed. Nothing was changed.">
            <Button type="submit">Save</Button>
            <Button variant="default">Cancel</Button>
          </FormFooter>
        </form>
      </Specimen>
      <ErrorSpecimen />
      <SaveBarSpecimen />
      <RecordSpecimen />
    </>
  );
}

const issue = (name: string, label: string) => ({ name, id: name, label, text: '', isShown: true });
const ISSUES = [issue('company', 'Company'), issue('country', 'Country')];

function ErrorSpecimen() {
  return (
    <Specimen title="Summary of errors: open, partly fixed, fixed">
      <div className={styles.pair}>
        <ErrorSummary issues={ISSUES} />
        <ErrorSummary issues={ISSUES} isFixed={(name) => name === 'company'} />
        <ErrorSummary issues={ISSUES} isFixed={() => true} />
      </div>
    </Specimen>
  );
}

function SaveBarSpecimen() {
  const bar = { isDirty: true, sending: false, problem: null, onDiscard: () => {}, save: 'Save company' };
  return (
    <Specimen title="Save bar: unsaved, saving, refused, not allowed">
      <div className={styles.pair}>
        <SaveBar {...bar} />
        <SaveBar {...bar} sending />
        <SaveBar {...bar} problem="The server cannot be reached. Check your connection and try again." />
        <SaveBar {...bar} reason="You need the permission to edit the company." />
      </div>
    </Specimen>
  );
}

const failed = (status: number, message: string) => new ApiError(status, [], message);
const query = { data: undefined, error: null, isFetching: false, refetch: async () => ({}) as never };

function RecordSpecimen() {
  const draw = (name: string) => <p className={styles.card}>{name}</p>;
  return (
    <Specimen title="Page of a record: loading, not found, failed">
      <div className={styles.pair}>
        <div className={styles.card}>
          <RecordPage query={query} noun="campaign">
            {draw}
          </RecordPage>
        </div>
        <div className={styles.card}>
          <RecordPage
            query={{ ...query, error: failed(404, 'Campaign not found') }}
            noun="campaign"
            icon={IconSend}
            list={{ to: '/sms/my-campaigns', label: 'All campaigns' }}
          >
            {draw}
          </RecordPage>
        </div>
        <div className={styles.card}>
          <RecordPage query={{ ...query, error: failed(0, 'The server cannot be reached.') }} noun="campaign">
            {draw}
          </RecordPage>
        </div>
      </div>
    </Specimen>
  );
}
