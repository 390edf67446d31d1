/** The fields that creating and editing an opt-in form have in common. */
import { Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { listLinkDomains } from '@parley/contract/links/links.ts';
import { type ComponentProps, useState } from 'react';
import { useContactFields } from '../audiences/people/contact_fields.ts';
import type { ContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { SenderSelect } from '../senders/SenderSelect.tsx';
import { CountrySelect } from '../ui/form/CountrySelect.tsx';
import { Field } from '../ui/form/Field.tsx';
import type { FormValues } from './form_values.ts';
import styles from './OptIn.module.css';
import { PageFields } from './PageFields.tsx';
import { TextsEditor } from './TextsEditor.tsx';

const PURPOSES = [
  { value: 'marketing', label: 'Marketing' },
  { value: 'transactional', label: 'Transactional' },
];

interface FormFieldsProps {
  form: ContractForm<FormValues>['form'];
  company: string;
  /** The label of the stored sender. */
  sender?: { value: string; label: string } | undefined;
}

export function FormFields({ form, company, sender }: FormFieldsProps) {
  const own = useContactFields();
  const reason = useReason(listLinkDomains.needs);
  const query = useEndpoint(listLinkDomains, {}, { enabled: reason === null });
  const domains = query.data?.data.filter(({ verified }) => verified) ?? [];
  return (
    <>
      <Field form={form} name="name" as={TextInput} label="Name" description="For your team." maxLength={100} />
      <Field
        form={form}
        name="sender_id"
        as={SenderField}
        label="Sender"
        description="Sends the codes and the welcome message. You pay for each code."
        stored={sender}
      />
      <Field form={form} name="texts" as={TextsEditor} company={company} />
      <Field form={form} name="fields" as={PageFields} own={own} />
      <AfterJoining form={form} />
      <section className={styles.part}>
        <h2>Page</h2>
        <Field
          form={form}
          name="country"
          as={CountrySelect}
          label="Country"
          description="Used for numbers without a country code."
          allowDeselect={false}
        />
        {domains.length > 0 && (
          <Field
            form={form}
            name="domain"
            as={Select}
            label="Domain"
            placeholder="Default domain"
            data={domains.map(({ host }) => host)}
            clearable
          />
        )}
        <Field
          form={form}
          name="origins"
          as={TagsInput}
          label="Allowed websites"
          description="Such as https://www.example.com. Only these websites can show the page in a frame."
          maxTags={20}
          acceptValueOnBlur
        />
      </section>
    </>
  );
}

function AfterJoining({ form }: Pick<FormFieldsProps, 'form'>) {
  return (
    <section className={styles.part}>
      <h2>After joining</h2>
      <Field
        form={form}
        name="welcome_text"
        as={Textarea}
        label="Welcome message"
        description="Sent once to people new to the audience. Can contain variables, such as {first_name:friend}."
        maxLength={1_000}
        autosize
        minRows={2}
      />
      <Field
        form={form}
        name="tags"
        as={TagsInput}
        label="Tags"
        description="Added to everyone who joins."
        maxTags={10}
      />
      <Field form={form} name="purpose" as={Select} label="Consent purpose" data={PURPOSES} allowDeselect={false} />
    </section>
  );
}

type Option = NonNullable<FormFieldsProps['sender']>;
type SenderFieldProps = Pick<ComponentProps<typeof SenderSelect>, 'label' | 'description' | 'error'> & {
  stored: Option | undefined;
  defaultValue?: string;
  onChange?: (id: string) => void;
};

/** A sender select with a value and a change handler, like the other form inputs. */
function SenderField({ stored, defaultValue = '', onChange, ...select }: SenderFieldProps) {
  const [id, setId] = useState(defaultValue);
  const choose = (value: string | null) => {
    setId(value ?? '');
    onChange?.(value ?? '');
  };
  return (
    <SenderSelect
      {...select}
      filter={{ statuses: 'available' }}
      extraOptions={stored ? [stored] : []}
      standalone
      value={id === '' ? null : id}
      onChange={choose}
      onOnly={(sender) => choose(sender.id)}
    />
  );
}
