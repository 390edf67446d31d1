/** What is sent over Viber, whether people can answer, and how a message reads. */
import { Button, Radio, Select, Textarea } from '@mantine/core';
import { TRAFFIC } from '@parley/contract/channels/viber/access.ts';
import { putViber } from '@parley/contract/registrations/access.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';

const TRAFFIC_OPTIONS = Object.entries(TRAFFIC).map(([value, label]) => ({ value, label }));
const MOST = 5;

export function ViberAccountStep({ sender, saver }: StepProps) {
  const saved = sender.registration.viber;
  const form = useSection({
    endpoint: putViber,
    params: { id: sender.id },
    typed: `viber_account.${sender.id}`,
    saver,
    labels: { traffic: 'Traffic', sample_messages: 'The example' },
    initial: {
      traffic: (saved?.traffic ?? null) as string | null,
      two_way: saved?.two_way ?? true,
      sample_messages: (saved?.sample_messages ?? ['']) as string[],
    },
  });
  const [count, setCount] = useState(Math.max(1, form.getValues().sample_messages.length));
  const [answers, setAnswers] = useState(form.getValues().two_way ? 'two' : 'one');
  return (
    <div className={styles.form}>
      <Select
        label="Traffic"
        description="Viber charges and allows the two kinds differently."
        placeholder="What do you send?"
        required
        data={TRAFFIC_OPTIONS}
        allowDeselect={false}
        key={form.key('traffic')}
        {...form.getInputProps('traffic')}
      />
      <Radio.Group
        label="Answers"
        value={answers}
        onChange={(value) => {
          setAnswers(value);
          form.setFieldValue('two_way', value === 'two');
        }}
      >
        <div className={styles.radios}>
          <Radio value="two" label="People can answer" description="What they write arrives in your inbox." />
          <Radio value="one" label="It only sends" />
        </div>
      </Radio.Group>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className={styles.example}>
          <Textarea
            label={`Example ${index + 1}`}
            {...(index === 0 ? { description: 'A message as people will read it, with your name.' } : {})}
            required
            autosize
            minRows={2}
            maxLength={1_000}
            key={form.key(`sample_messages.${index}`)}
            {...form.getInputProps(`sample_messages.${index}`)}
          />
          {index >= 1 && index === count - 1 && (
            <div>
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  form.removeListItem('sample_messages', index);
                  setCount(count - 1);
                }}
              >
                Remove example {index + 1}
              </Button>
            </div>
          )}
        </div>
      ))}
      {count < MOST && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => {
              form.insertListItem('sample_messages', '');
              setCount(count + 1);
            }}
          >
            Add an example
          </Button>
        </div>
      )}
    </div>
  );
}
