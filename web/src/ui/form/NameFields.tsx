import { TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Field } from './Field.tsx';

interface NameFieldsProps extends Pick<TextInputProps, 'description' | 'readOnly' | 'required' | 'autoFocus'> {
  // biome-ignore lint/suspicious/noExplicitAny: any form with both names among its values
  form: UseFormReturnType<any>;
  /** True if the name is the user's own, so the browser may fill it in. */
  own?: boolean;
}

/** First and last name; put them in a `Pair` to show them side by side. */
export function NameFields({ form, own = false, autoFocus = false, ...rest }: NameFieldsProps) {
  return (
    <>
      <Field
        form={form}
        name="first_name"
        as={TextInput}
        label="First name"
        autoComplete={own ? 'given-name' : 'off'}
        maxLength={60}
        autoFocus={autoFocus}
        {...rest}
      />
      <Field
        form={form}
        name="last_name"
        as={TextInput}
        label="Last name"
        autoComplete={own ? 'family-name' : 'off'}
        maxLength={60}
        {...rest}
      />
    </>
  );
}
