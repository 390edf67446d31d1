/** Settings of the HTTP adapters: API URL, credentials, and throughput. */
import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { type ReactNode, useState } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import styles from '../Admin.module.css';
import own from './Connect.module.css';
import { type AnyForm, ChoiceField, Group, NumberField } from './FormGroup.tsx';
import { KEEP_SECRET } from './words.ts';

interface HttpFieldsProps {
  form: AnyForm;
  adapter: AdapterName;
  isNew: boolean;
  /** The settings to show up front. Null shows all. */
  front: readonly string[] | null;
  /** Further groups. */
  children: ReactNode;
}

type Inputs = AdapterSettings['credentials'];

const API_URL: Inputs[number] = {
  name: 'base_url',
  label: 'API URL',
  description: 'Base URL of the API, including the version.',
};

export function HttpFields({ form, adapter, isNew, front, children }: HttpFieldsProps) {
  const { credentials }: AdapterSettings = ADAPTERS[adapter];
  const inputs = [API_URL, ...credentials];
  if (front === null)
    return (
      <>
        <AccessFields form={form} isNew={isNew} inputs={inputs} />
        <ThroughputFields form={form} adapter={adapter} />
        {children}
      </>
    );
  const isFront = ({ name }: Inputs[number]) => front.includes(name);
  return (
    <>
      <AccessFields form={form} isNew={isNew} inputs={inputs.filter(isFront)} />
      <MoreSettings form={form} front={front}>
        <AccessFields form={form} isNew={isNew} inputs={inputs.filter((input) => !isFront(input))} />
        <ThroughputFields form={form} adapter={adapter} />
        {children}
      </MoreSettings>
    </>
  );
}

/** Settings with good defaults. They open if one of them is invalid, because a hidden field cannot be fixed. */
function MoreSettings({
  form,
  front,
  children,
}: Pick<HttpFieldsProps, 'form' | 'children'> & { front: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = ['name', ...front.map((name) => `settings.${name}`)];
  const hasErrors = Object.keys(form.errors).some((name) => !shown.includes(name));
  return (
    <details className={own.more} open={isOpen || hasErrors} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>More settings</summary>
      <div className={own.moreGroups}>{children}</div>
    </details>
  );
}

interface AccessProps {
  form: AnyForm;
  isNew: boolean;
  inputs: Inputs;
}

const AccessFields = ({ form, isNew, inputs }: AccessProps) => (
  <Group title="Access">
    {inputs.includes(API_URL) && <Field form={form} {...bound(API_URL)} as={TextInput} autoComplete="off" />}
    <Pair>
      {inputs
        .filter((input) => input !== API_URL)
        .map(({ isLong, ...input }) =>
          isLong ? (
            <div key={input.name} className={styles.long}>
              <Field form={form} {...bound(input)} as={Textarea} autosize minRows={3} autoComplete="off" />
            </div>
          ) : input.choices ? (
            <ChoiceField key={input.name} form={form} {...bound(input)} choices={input.choices} />
          ) : (
            <Field
              key={input.name}
              form={form}
              {...bound(input)}
              as={input.secret ? PasswordInput : TextInput}
              {...(input.secret && !isNew ? { description: KEEP_SECRET } : {})}
              autoComplete={input.secret ? 'new-password' : 'off'}
            />
          ),
        )}
    </Pair>
  </Group>
);

/** What the form of a setting shows, whatever its kind. */
const bound = ({ name, label, description }: Inputs[number]) => ({ name: `settings.${name}`, label, description });

function ThroughputFields({ form, adapter }: Pick<HttpFieldsProps, 'form' | 'adapter'>) {
  const { limits, defaults }: AdapterSettings = ADAPTERS[adapter];
  return (
    <Group title="Throughput">
      <Pair>
        <NumberField
          form={form}
          name="settings.window"
          label="Window"
          description="Maximum unacknowledged messages, 1 to 1,000."
          min={1}
          max={1_000}
        />
        <NumberField
          form={form}
          name="settings.throughput"
          label="Rate"
          description="Messages per second. Leave empty for no limit."
          min={1}
          max={10_000}
        />
        <NumberField
          form={form}
          name="settings.timeout_ms"
          label="Response timeout"
          suffix=" ms"
          min={1}
          max={120_000}
        />
        {'daily_limit' in defaults && (
          <NumberField
            form={form}
            name="settings.daily_limit"
            label="Daily limit"
            description="Messages per day in UTC. Further messages take another route or wait."
            min={1}
            max={10_000_000}
          />
        )}
        {limits.map(({ name, label, description, min, max }) => (
          <NumberField
            key={name}
            form={form}
            name={`settings.${name}`}
            label={label}
            description={description}
            min={min}
            max={max}
          />
        ))}
      </Pair>
    </Group>
  );
}
