/** Creates a dynamic audience, or changes the conditions of one. */
import { Button, Select, TextInput } from '@mantine/core';
import { type Audience, createAudience, updateAudience } from '@parley/contract/audiences/audiences.ts';
import type { ConditionGroup, Conditions } from '@parley/contract/audiences/conditions.ts';
import { CHANNEL_LABELS, CHANNELS, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ContractForm, useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { AUDIENCES, audiencePath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AudienceRecord } from '../AudienceRecord.tsx';
import { useContactFields } from '../people/contact_fields.ts';
import styles from './Conditions.module.css';
import { ConditionsEditor } from './ConditionsEditor.tsx';
import { LiveCount } from './LiveCount.tsx';
import { newCondition } from './tree.ts';

export default function DynamicAudiencePage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const search = useSearch({ strict: false }) as { name?: string; channel?: string };
  if (id)
    return <AudienceRecord id={id}>{(audience) => <Edit key={audience.id} audience={audience} />}</AudienceRecord>;
  return <Create name={String(search.name ?? '')} channel={search.channel} />;
}

const START: ConditionGroup = { match: 'all', conditions: [newCondition()] };
const LABELS = { conditions: 'Conditions' };

function Create({ name, channel }: { name: string; channel: string | undefined }) {
  const navigate = useNavigate();
  const initial = {
    name,
    channel: CHANNELS.find((one) => one === channel?.toUpperCase()) ?? DEFAULT_CHANNEL,
    conditions: START as Conditions,
  };
  const contract = useContractForm(createAudience, {
    initial,
    draft: useSavedDraft('dynamic_audience', initial),
    labels: LABELS,
    invalidates: ['audiences'],
    onDone: ({ data }) => {
      toast.success(`Audience ${data.name} created`);
      void navigate({ href: audiencePath(data.id) });
    },
  });
  return (
    <>
      <Back to={AUDIENCES}>Audiences</Back>
      <PageHeader
        title="Create dynamic audience"
        description="The audience always contains everyone who matches. Campaigns reevaluate it when they start."
      />
      <ConditionsForm contract={contract} submit="Create audience" cancel={AUDIENCES}>
        <Field
          form={contract.form}
          name="name"
          as={TextInput}
          label="Name"
          description="Letters, digits, spaces, - and _, up to 45 characters."
          maxLength={45}
        />
        <Field
          form={contract.form}
          name="channel"
          as={Select}
          label="Channel"
          description="Campaigns on this channel can use the audience."
          data={CHANNELS.map((value) => ({ value, label: CHANNEL_LABELS[value] }))}
          allowDeselect={false}
        />
      </ConditionsForm>
    </>
  );
}

function Edit({ audience }: { audience: Audience }) {
  const navigate = useNavigate();
  const initial = { name: audience.name, conditions: (audience.conditions ?? START) as Conditions };
  const contract = useContractForm(updateAudience, {
    initial,
    draft: useSavedDraft(`conditions.${audience.id}`, initial),
    input: (body) => ({ params: { id: audience.id }, body }),
    labels: LABELS,
    invalidates: ['audiences', 'contacts'],
    onDone: () => {
      toast.success('Conditions saved');
      void navigate({ href: audiencePath(audience.id) });
    },
  });
  return (
    <>
      <Back to={audiencePath(audience.id)}>{audience.name}</Back>
      <PageHeader
        title="Edit conditions"
        description="Campaigns that have already started keep the people who matched at that time."
      />
      <ConditionsForm contract={contract} submit="Save conditions" cancel={audiencePath(audience.id)}>
        <Field form={contract.form} name="name" as={TextInput} label="Name" maxLength={45} />
      </ConditionsForm>
    </>
  );
}

interface ConditionsFormProps<V extends Record<string, unknown>> {
  contract: ContractForm<V>;
  submit: string;
  cancel: string;
  children: ReactNode;
}

function ConditionsForm<V extends { conditions: Conditions } & Record<string, unknown>>({
  contract: { form, bind, sending, problem },
  submit,
  cancel,
  children,
}: ConditionsFormProps<V>) {
  const fields = useContactFields();
  const [root, setRoot] = useState<ConditionGroup>(form.getValues().conditions);
  const change = (changed: ConditionGroup) => {
    setRoot(changed);
    form.setFieldValue('conditions', changed as never);
    for (const path of Object.keys(form.errors)) if (path.startsWith('conditions')) form.clearFieldError(path);
  };
  const errorAt = (path: string) => form.errors[path] as string | undefined;
  return (
    <Form {...bind} className={styles.form}>
      <div className={`${styles.form} ${styles.short}`}>{children}</div>
      <section aria-label="Conditions">
        <p className={styles.label}>Conditions</p>
        <ConditionsEditor root={root} fields={fields} errorAt={errorAt} onChange={change} />
      </section>
      <LiveCount root={root} fields={fields} />
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          {submit}
        </Button>
        <Button variant="default" component={Link} to={cancel}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}
