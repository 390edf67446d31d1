/** The inputs for the facts about a person in every audience: tags, fields, IDs, language, and time zone. */
import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { MAX_TAGS } from '@parley/contract/audiences/limits.ts';
import { ID_CHANNELS, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { ZoneSelect } from '../../ui/form/ZoneSelect.tsx';

interface FactFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with the facts of a person among its values
  form: UseFormReturnType<any>;
  fields: readonly ContactField[];
}

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

export function FactFields({ form, fields }: FactFieldsProps) {
  return (
    <>
      <Field
        form={form}
        name="tags"
        as={TagsInput}
        label="Tags"
        description={`Up to ${MAX_TAGS}. Press Enter after each tag.`}
        maxTags={MAX_TAGS}
        splitChars={[',']}
      />
      {fields.map((field) => (
        <OwnField key={field.id} form={form} field={field} />
      ))}
      <Pair>
        {ID_CHANNELS.map((channel) => (
          <Field
            key={channel}
            form={form}
            name={`channel_ids.${channel}`}
            as={TextInput}
            label={PERSON_IDS[channel]!.label}
            description={`For example ${PERSON_IDS[channel]!.example}`}
            maxLength={160}
            optional
          />
        ))}
      </Pair>
      <Pair>
        <Field
          form={form}
          name="language"
          as={TextInput}
          label="Language"
          description="A code, such as en or pt-BR."
          maxLength={20}
        />
        <Field
          form={form}
          name="timezone"
          as={ZoneSelect}
          current={String(form.getValues().timezone ?? '')}
          label="Time zone"
          description="Used when you send in local time."
          clearable
        />
      </Pair>
    </>
  );
}

function OwnField({ form, field }: { form: FactFieldsProps['form']; field: ContactField }) {
  const { key, label, kind, choices } = field;
  const bound = { form, name: `fields.${key}`, label, optional: true } as const;
  if (kind === 'number') return <Field {...bound} as={NumberInput} hideControls />;
  if (kind === 'date') return <Field {...bound} as={DateField} />;
  if (kind === 'boolean') return <Field {...bound} as={Select} data={YES_NO} clearable />;
  if (kind === 'choice') return <Field {...bound} as={Select} data={[...choices]} clearable />;
  return <Field {...bound} as={TextInput} maxLength={200} />;
}
