/** Viber traffic type, replies, and example messages. */
import { Radio, Select } from '@mantine/core';
import { TRAFFIC } from '@parley/contract/channels/viber/access.ts';
import { putViber } from '@parley/contract/registrations/access.ts';
import { useState } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import { ExampleFields } from '../ExampleFields.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';

const TRAFFIC_OPTIONS = Object.entries(TRAFFIC).map(([value, label]) => ({ value, label }));

export function ViberAccountStep({ sender, saver }: StepProps) {
  const saved = sender.registration.viber;
  const form = useSection({
    endpoint: putViber,
    params: { id: sender.id },
    draftKey: `viber_account.${sender.id}`,
    saver,
    labels: { traffic: 'Traffic', sample_messages: 'The example' },
    initial: {
      traffic: (saved?.traffic ?? null) as string | null,
      two_way: saved?.two_way ?? true,
      sample_messages: (saved?.sample_messages ?? ['']) as string[],
    },
  });
  const [direction, setDirection] = useState(form.getValues().two_way ? 'two' : 'one');
  return (
    <div className={styles.form}>
      <Field
        form={form}
        name="traffic"
        as={Select}
        label="Traffic"
        description="Viber has different prices and rules for each type."
        placeholder="Choose what you send"
        data={TRAFFIC_OPTIONS}
        allowDeselect={false}
      />
      <Radio.Group
        label="Replies"
        value={direction}
        onChange={(value) => {
          setDirection(value);
          form.setFieldValue('two_way', value === 'two');
        }}
      >
        <div className={styles.radios}>
          <Radio value="two" label="Two-way" description="Replies arrive in your inbox." />
          <Radio value="one" label="One-way" />
        </div>
      </Radio.Group>
      <ExampleFields
        form={form}
        name="sample_messages"
        min={1}
        maxLength={1_000}
        description="A message as recipients will read it, including your company name."
      />
    </div>
  );
}
