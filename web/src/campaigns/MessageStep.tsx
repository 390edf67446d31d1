import { render } from '@parley/contract/channels/sms.ts';
import { MAX_TEXT } from '@parley/contract/messages.ts';
import { SmsComposer } from '../channels/sms/SmsComposer.tsx';
import type { SampleState } from './choices.ts';
import type { StepProps } from './SetupStep.tsx';
import styles from './Wizard.module.css';
import { VARIABLE_WORDS } from './words.ts';

export function MessageStep({ draft, change, sample }: StepProps & SampleState) {
  const read = sample ? render(draft.text, sample.variables) : draft.text;
  return (
    <div className={styles.fields}>
      <SmsComposer
        label="Text"
        value={draft.text}
        read={read}
        onChange={(text) => change({ text })}
        max={MAX_TEXT}
        variables={VARIABLE_WORDS}
        placeholder="Hello {first_name:there}, ..."
        minRows={7}
      />
      <p className={styles.hint}>
        Variables are filled in for each person. Write a fallback after a colon, as in{' '}
        <code>{'{first_name:there}'}</code>, for those without one. The counter speaks about the person on the phone.
      </p>
    </div>
  );
}
