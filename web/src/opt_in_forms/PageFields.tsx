/** The fields of an opt-in page besides the number. */
import { MultiSelect } from '@mantine/core';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import type { OptInForm } from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { useState } from 'react';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './OptIn.module.css';

type Fields = OptInForm['fields'];

interface PageFieldsProps {
  own: readonly ContactField[];
  defaultValue?: Fields;
  onChange?: (fields: Fields) => void;
  error?: string;
}

export const pageFieldLabel = (own: readonly ContactField[], key: string): string =>
  key === 'first_name'
    ? 'First name'
    : key === 'last_name'
      ? 'Last name'
      : (own.find((field) => `fields.${field.key}` === key)?.label ?? key.replace('fields.', ''));

export function PageFields({ own, defaultValue = [], onChange, error }: PageFieldsProps) {
  const [fields, setFields] = useState(defaultValue);
  const store = (next: Fields) => {
    setFields(next);
    onChange?.(next);
  };
  const keys = new Set(['first_name', 'last_name', ...own.map(({ key }) => `fields.${key}`)]);
  for (const { key } of fields) keys.add(key);
  const choose = (chosen: string[]) =>
    store(chosen.map((key) => fields.find((field) => field.key === key) ?? { key, required: false }));
  const require = (chosen: string[]) => store(fields.map(({ key }) => ({ key, required: chosen.includes(key) })));
  const label = (key: string) => ({ value: key, label: pageFieldLabel(own, key) });
  return (
    <section className={styles.part} aria-label="Fields">
      <h2>Fields</h2>
      <p className={styles.note}>The number is always on the page. Ask only for what you need.</p>
      <MultiSelect
        label="Other fields"
        searchable
        data={[...keys].map(label)}
        value={fields.map(({ key }) => key)}
        onChange={choose}
        maxValues={10}
      />
      {fields.length > 0 && (
        <MultiSelect
          label="Required fields"
          searchable
          data={fields.map(({ key }) => label(key))}
          value={fields.filter(({ required }) => required).map(({ key }) => key)}
          onChange={require}
        />
      )}
      {error && <Notice tone="fail">{error}</Notice>}
    </section>
  );
}
