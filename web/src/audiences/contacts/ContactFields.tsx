import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';

export interface ContactFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with the fields of a contact among its values
  form: UseFormReturnType<any>;
}

/** The fields of a contact other than the number. Each is available as a variable in messages. */
export function ContactFields({ form }: ContactFieldsProps) {
  return (
    <>
      <Pair>
        <Field form={form} name="first_name" as={TextInput} label="First name" maxLength={32} />
        <Field form={form} name="last_name" as={TextInput} label="Last name" maxLength={32} />
      </Pair>
      <Field
        form={form}
        name="custom1"
        as={TextInput}
        label="Custom 1"
        description="Any text, up to 32 characters. Use {custom1} in messages."
        maxLength={32}
      />
      <Field
        form={form}
        name="custom2"
        as={TextInput}
        label="Custom 2"
        description="Up to 70 characters, for example a link. Use {custom2} in messages."
        maxLength={70}
      />
    </>
  );
}
