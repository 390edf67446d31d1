/** Examples for the reviewer, one for each placeholder. They also appear in the preview. */
import { TextInput } from '@mantine/core';
import { MAX_VARIABLE } from '@parley/contract/templates/draft.ts';
import { sampledNames } from './draft.ts';
import styles from './Templates.module.css';
import type { TemplateForm } from './useTemplateForm.ts';

export function SampleFields({ form }: { form: TemplateForm }) {
  const { draft, change, fieldError } = form;
  const names = sampledNames(draft);
  if (names.length === 0) return null;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>Examples</legend>
      <p className={styles.hint}>Sample values for the reviewer, one per placeholder. Do not use real personal data.</p>
      {names.map((name) => (
        <div key={name} data-field={`samples.${name}`}>
          <TextInput
            label={`{${name}}`}
            aria-label={`Example for ${name}`}
            maxLength={MAX_VARIABLE + 1}
            value={draft.samples[name] ?? ''}
            error={fieldError(`samples.${name}`)}
            onChange={(event) => change({ samples: { ...draft.samples, [name]: event.currentTarget.value } })}
          />
        </div>
      ))}
    </fieldset>
  );
}
