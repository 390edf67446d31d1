/** The facts that an import stores about everyone in the file: tags and a consent. */
import { Checkbox, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { MAX_TAGS } from '@parley/contract/audiences/limits.ts';
import { CONSENT_PURPOSES } from '@parley/contract/audiences/purposes.ts';
import { CHANNEL_LABELS, CHANNELS, type ChannelName, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { Optional } from '../../ui/form/Optional.tsx';
import styles from './Create.module.css';
import type { Choice } from './choice.ts';

type Consent = NonNullable<Choice['consent']>;

const NEW_CONSENT: Consent = { channel: DEFAULT_CHANNEL, purpose: 'marketing', text: '', source: '' };
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value: value as string, label: CHANNEL_LABELS[value] }));
const PURPOSE_LABELS: Record<Consent['purpose'], string> = { marketing: 'Marketing', transactional: 'Transactional' };
const PURPOSES = CONSENT_PURPOSES.map((value) => ({ value: value as string, label: PURPOSE_LABELS[value] }));

interface ImportFactsProps {
  choice: Choice;
  onChange: (changes: Partial<Choice>) => void;
}

export function ImportFacts({ choice: { tags, consent }, onChange }: ImportFactsProps) {
  const change = (changes: Partial<Consent>) => onChange({ consent: { ...NEW_CONSENT, ...consent, ...changes } });
  return (
    <>
      <TagsInput
        className={styles.short}
        label={
          <>
            Tags for everyone in the file
            <Optional />
          </>
        }
        description="Press Enter after each tag."
        maxTags={MAX_TAGS}
        splitChars={[',']}
        acceptValueOnBlur
        value={tags}
        onChange={(next) => onChange({ tags: next })}
      />
      <Checkbox
        label="Everyone in the file has given consent"
        description="Stored as proof for each person, except for people who have withdrawn their consent."
        checked={consent !== null}
        onChange={(event) => onChange({ consent: event.currentTarget.checked ? NEW_CONSENT : null })}
      />
      {consent && (
        <div className={styles.fileFields} data-field="consent">
          <Select
            label="Channel"
            data={CHANNEL_OPTIONS}
            value={consent.channel}
            allowDeselect={false}
            onChange={(channel) => change({ channel: channel as ChannelName })}
          />
          <Select
            label="Purpose"
            data={PURPOSES}
            value={consent.purpose}
            allowDeselect={false}
            onChange={(purpose) => change({ purpose: purpose as Consent['purpose'] })}
          />
          <Textarea
            label="Consent text"
            description="The exact text that people agreed to."
            autosize
            minRows={2}
            maxLength={2000}
            value={consent.text}
            onChange={(event) => change({ text: event.currentTarget.value })}
          />
          <TextInput
            label="Source"
            description="Where they agreed, such as a web address. Defaults to the file name."
            maxLength={500}
            value={consent.source}
            onChange={(event) => change({ source: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}
