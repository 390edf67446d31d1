/** Fields of the connection form. Their paths differ by adapter, so the form's values are not typed. */
import { NumberInput, type NumberInputProps, Select, type SelectProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Admin.module.css';
import type { Choice } from './words.ts';

// biome-ignore lint/suspicious/noExplicitAny: the paths of the fields differ by adapter
export type AnyForm = UseFormReturnType<any>;

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface FieldOfForm {
  form: AnyForm;
  name: string;
}

type NumberFieldProps = FieldOfForm &
  Pick<NumberInputProps, 'label' | 'description' | 'required' | 'suffix' | 'min' | 'max' | 'thousandSeparator'>;

/** A field for a whole number. */
export const NumberField = (props: NumberFieldProps) => (
  <Field as={NumberInput} thousandSeparator="," allowDecimal={false} {...props} />
);

type ChoiceFieldProps = FieldOfForm & Pick<SelectProps, 'label' | 'description'> & { choices: readonly Choice[] };

export const ChoiceField = ({ choices, ...rest }: ChoiceFieldProps) => (
  <Field as={Select} data={[...choices]} allowDeselect={false} {...rest} />
);
