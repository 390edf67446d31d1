import { TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export interface NameFieldsProps extends Pick<TextInputProps, 'description' | 'readOnly' | 'required' | 'autoFocus'> {
  // biome-ignore lint/suspicious/noExplicitAny: of any form that has both names among its values
  form: Pick<UseFormReturnType<any>, 'key' | 'getInputProps'>;
  /** Of the person who types: the browser may fill them in. */
  own?: boolean;
}

/** First and last name; beside each other in the pair of whoever uses them. */
export function NameFields({ form, own = false, autoFocus = false, ...rest }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label="First name"
        autoComplete={own ? 'given-name' : 'off'}
        maxLength={60}
        autoFocus={autoFocus}
        key={form.key('first_name')}
        {...rest}
        {...form.getInputProps('first_name')}
      />
      <TextInput
        label="Last name"
        autoComplete={own ? 'family-name' : 'off'}
        maxLength={60}
        key={form.key('last_name')}
        {...rest}
        {...form.getInputProps('last_name')}
      />
    </>
  );
}
