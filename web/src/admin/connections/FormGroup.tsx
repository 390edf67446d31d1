/** A group of fields, and the fields of a form by path: connections have other ones for each kind of carrier. */
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import styles from '../Admin.module.css';

// biome-ignore lint/suspicious/noExplicitAny: paths of fields differ by the kind of connection
export type AnyForm = UseFormReturnType<any>;

export function fieldsOf(form: AnyForm) {
  const field = (path: string) => form.getInputProps(path);
  return {
    field,
    flag: (path: string) => form.getInputProps(path, { type: 'checkbox' }),
    select: (path: string, data: readonly { value: string; label: string }[]) => ({
      data: [...data],
      allowDeselect: false,
      ...field(path),
    }),
  };
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
