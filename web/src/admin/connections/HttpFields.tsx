/** Settings of the HTTP adapters: API URL, credentials, and throughput. */
import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import styles from '../Admin.module.css';
import { type AnyForm, ChoiceField, Group, NumberField } from './FormGroup.tsx';
import { KEEP_SECRET } from './words.ts';

interface HttpFieldsProps {
  form: AnyForm;
  adapter: AdapterName;
  isNew: boolean;
}

/** What the form of a setting shows, whatever its kind. */
const bound = ({ name, label, description }: AdapterSettings['credentials'][number]) => ({
  name: `settings.${name}`,
  label,
  description,
});

export function HttpFields({ form, adapter, isNew }: HttpFieldsProps) {
  const { credentials }: AdapterSettings = ADAPTERS[adapter];
  return (
    <>
      <Group title="Access">
        <Field
          form={form}
          name="settings.base_url"
          as={TextInput}
          label="API URL"
          description="Base URL of the API, including the version."
          autoComplete="off"
        />
        <Pair>
          {credentials.map(({ isLong, ...input }) =>
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
      <ThroughputFields form={form} adapter={adapter} />
    </>
  );
}

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
