/** Website and contact details of a business, the same for all registrations. */
import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Field } from '../ui/form/Field.tsx';
import { Pair } from '../ui/form/FormParts.tsx';

interface ReachFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with these fields among its values
  form: UseFormReturnType<any>;
  /** The help text of the website. */
  website: string;
}

export function ReachFields({ form, website }: ReachFieldsProps) {
  return (
    <>
      <Field
        form={form}
        name="business_website"
        as={TextInput}
        label="Website"
        description={website}
        placeholder="https://"
        type="url"
        inputMode="url"
        maxLength={300}
      />
      <Pair>
        <Field form={form} name="business_email" as={TextInput} label="Email" type="email" maxLength={200} />
        <Field form={form} name="business_phone" as={TextInput} label="Phone" type="tel" maxLength={25} />
      </Pair>
    </>
  );
}
