import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import styles from '../Audiences.module.css';

export interface ContactTexts {
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
}

/** What is known of a person beside the number; each can be put into a text by its name. */
export function ContactFields<V extends ContactTexts & Record<string, unknown>>({
  form,
}: {
  form: UseFormReturnType<V>;
}) {
  return (
    <>
      <div className={styles.pair}>
        <TextInput
          label="First name"
          maxLength={32}
          key={form.key('first_name')}
          {...form.getInputProps('first_name')}
        />
        <TextInput label="Last name" maxLength={32} key={form.key('last_name')} {...form.getInputProps('last_name')} />
      </div>
      <TextInput
        label="Custom 1"
        description="Anything you want to say per person, up to 32 characters. {custom1} in a text."
        maxLength={32}
        key={form.key('custom1')}
        {...form.getInputProps('custom1')}
      />
      <TextInput
        label="Custom 2"
        description="Up to 70 characters, a link for example. {custom2} in a text."
        maxLength={70}
        key={form.key('custom2')}
        {...form.getInputProps('custom2')}
      />
    </>
  );
}
