/** An automation’s text for people who messaged you in the last 24 hours, on channels that otherwise need templates. */
import { Switch } from '@mantine/core';
import { MAX_TEXT } from '@parley/contract/messages/messages.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { fieldVariables, useContactFields } from '../../../audiences/people/contact_fields.ts';
import { Composer } from '../../../ui/message/Composer.tsx';
import { VARIABLES } from '../../labels.ts';
import { freeText } from '../draft.ts';
import type { StepProps } from '../step.ts';
import styles from '../Wizard.module.css';

export function SessionText({ draft, change, errors }: StepProps) {
  const fields = useContactFields();
  const text = freeText(draft);
  const hasTest = draft.test !== null;
  return (
    <>
      <Switch
        label="Free text for people who messaged you in the last 24 hours"
        description={
          hasTest
            ? 'Not available with an A/B test.'
            : 'For campaigns that start automatically. Everyone else gets the template, or is skipped without one.'
        }
        disabled={hasTest}
        checked={text !== null}
        onChange={(event) => change({ session_text: event.currentTarget.checked ? '' : null })}
      />
      {text !== null && (
        <Composer
          label="Free text"
          name="session_text"
          value={text}
          error={errors.fieldError('session_text')}
          onBlur={() => errors.onLeave('session_text')}
          onChange={(session_text) => change({ session_text })}
          counter={`${textLength(text)}/${MAX_TEXT}`}
          variables={[...VARIABLES.filter(({ key }) => key !== 'sms_opt_out'), ...fieldVariables(fields)]}
          placeholder="Hello {first_name:there}, ..."
          minRows={4}
        />
      )}
      {text !== null && draft.when !== 'auto' && (
        <p className={styles.hint}>Choose “Automatically” in the last step. Other campaigns send only templates.</p>
      )}
    </>
  );
}
