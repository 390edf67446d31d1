/** Settings of the HTTP adapters: API URL, credentials, and throughput. */
import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { type ReactNode, useState } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import own from './Connect.module.css';
import { type AnyForm, ChoiceField, Group, NumberField } from './FormGroup.tsx';
import { KEEP_SECRET } from './words.ts';

interface HttpFieldsProps {
  form: AnyForm;
  adapter: AdapterName;
  isNew: boolean;
  /** The settings to show up front. Null shows all. */
  front: readonly string[] | null;
  /** Additional groups. */
  children: ReactNode;
}

type Inputs = AdapterSettings['credentials'];

const URL_HELP = 'The default suits most accounts.';
const FIRST_GROUP = 'Access';

/** The inputs by the group that they belong to, in the order of the form. */
function groupInputs({ credentials, url_help = URL_HELP }: AdapterSettings): { title: string; inputs: Inputs }[] {
  const groups = [
    { title: FIRST_GROUP, inputs: [{ name: 'base_url', label: 'API URL', description: url_help }] as Inputs[number][] },
  ];
  for (const input of credentials) {
    if (input.heading) groups.push({ title: input.heading, inputs: [] });
    groups.at(-1)!.inputs.push(input);
  }
  return groups;
}

export function HttpFields({ form, adapter, isNew, front, children }: HttpFieldsProps) {
  const groups = groupInputs(ADAPTERS[adapter]);
  if (front === null)
    return (
      <>
        <InputGroups form={form} isNew={isNew} groups={groups} />
        <ThroughputFields form={form} adapter={adapter} />
        {children}
      </>
    );
  const inputs = groups.flatMap((group) => group.inputs).filter(({ name }) => front.includes(name));
  const rest = groups.map(({ title, inputs }) => ({
    title,
    inputs: inputs.filter(({ name }) => !front.includes(name)),
  }));
  return (
    <>
      <InputGroups form={form} isNew={isNew} groups={[{ title: FIRST_GROUP, inputs }]} />
      <MoreSettings form={form} front={front}>
        <InputGroups form={form} isNew={isNew} groups={rest} />
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

interface InputGroupsProps {
  form: AnyForm;
  isNew: boolean;
  groups: readonly { title: string; inputs: Inputs }[];
}

const InputGroups = ({ form, isNew, groups }: InputGroupsProps) =>
  groups
    .filter(({ inputs }) => inputs.length > 0)
    .map(({ title, inputs }) => (
      <Group key={title} title={title}>
        <div className={own.fields}>
          {inputs.map((input) => (
            <InputField key={input.name} form={form} isNew={isNew} input={input} />
          ))}
        </div>
      </Group>
    ));

function InputField({ form, isNew, input }: Omit<InputGroupsProps, 'groups'> & { input: Inputs[number] }) {
  const props = { form, ...bound(input), autoComplete: 'off' };
  if (input.name === 'base_url') return <Field {...props} as={TextInput} className={own.wide} />;
  if (input.isLong) return <Field {...props} as={Textarea} className={own.wide} autosize minRows={3} />;
  if (input.choices) return <ChoiceField form={form} {...bound(input)} choices={input.choices} />;
  if (!input.secret) return <Field {...props} as={TextInput} />;
  const help = isNew ? {} : { description: KEEP_SECRET };
  return <Field {...props} {...help} as={PasswordInput} autoComplete="new-password" />;
}

/** The parts of a setting's field that do not depend on its kind. */
const bound = ({ name, label, description }: Inputs[number]) => ({ name: `settings.${name}`, label, description });

function ThroughputFields({ form, adapter }: Pick<HttpFieldsProps, 'form' | 'adapter'>) {
  const { limits, defaults }: AdapterSettings = ADAPTERS[adapter];
  return (
    <Group title="Throughput">
      <div className={own.fields}>
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
            description="Messages per day in UTC. More messages take another route or wait."
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
      </div>
    </Group>
  );
}
