/** Viber traffic type, replies, and example messages. */
import { Radio, Select } from '@mantine/core';
import { TRAFFIC } from '@parley/contract/channels/viber/access.ts';
import { useState } from 'react';
import { ExampleFields } from '../../ui/form/ExampleFields.tsx';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Access.module.css';
import type { StepFieldsProps } from '../access_view.ts';

const TRAFFIC_OPTIONS = Object.entries(TRAFFIC).map(([value, label]) => ({ value, label }));

export function AccountFields({ form }: StepFieldsProps) {
  const [direction, setDirection] = useState(form.getValues().two_way ? 'two' : 'one');
  return (
    <>
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
    </>
  );
}
