/** Examples for the reviewer of WhatsApp, one for each placeholder. They also stand in the preview. */
import { TextInput } from '@mantine/core';
import { MAX_VARIABLE } from '@parley/contract/templates/draft.ts';
import { sampledNames } from './draft.ts';
import styles from './Library.module.css';
import type { TemplateForm } from './useTemplateForm.ts';

export function SampleFields({ form }: { form: TemplateForm }) {
  const { draft, change, errorOf } = form;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>Examples</legend>
      <p className={styles.hint}>What the reviewer reads in place of each placeholder. Nothing real about anybody.</p>
      {sampledNames(draft).map((name) => (
        <div key={name} data-field={`samples.${name}`}>
          <TextInput
            label={`{${name}}`}
            aria-label={`Example of ${name}`}
            maxLength={MAX_VARIABLE + 1}
            value={draft.samples[name] ?? ''}
            error={errorOf(`samples.${name}`)}
            onChange={(event) => change({ samples: { ...draft.samples, [name]: event.currentTarget.value } })}
          />
        </div>
      ))}
    </fieldset>
  );
}
