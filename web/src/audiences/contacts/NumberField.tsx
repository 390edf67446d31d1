import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Ref } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { countryName } from '../numbers.ts';

export interface NumberFieldProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with a number among its values
  form: UseFormReturnType<any>;
  inputRef?: Ref<HTMLInputElement>;
}

/** A phone number, international or in the format of the account's country. */
export function NumberField({ form, inputRef }: NumberFieldProps) {
  const { account } = useSession();
  return (
    <Field
      form={form}
      name="number"
      as={TextInput}
      ref={inputRef}
      label="Number"
      description={`Include the country code, or use the local format (${countryName(account.country_code)}).`}
      type="tel"
      inputMode="tel"
      autoComplete="off"
      data-autofocus
    />
  );
}
