import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ID_CHANNELS, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import type { Ref } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { countryName } from '../numbers.ts';

/** A person without a number has an ID in its place. */
const IDS = ID_CHANNELS.map((channel) => PERSON_IDS[channel]!.label).join(' or ');

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
      description={`With the country code or in the local format (${countryName(account.country_code)}), or a ${IDS}.`}
      type="tel"
      inputMode="tel"
      autoComplete="off"
      data-autofocus
    />
  );
}
