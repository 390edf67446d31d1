import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { CONSENT_PURPOSES } from '@parley/contract/audiences/purposes.ts';
import { CHANNEL_LABELS, CHANNELS, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import type { CrmField } from '@parley/contract/crm/sync.ts';
import { IconPlus } from '@tabler/icons-react';
import { Pair } from '../../../ui/form/FormParts.tsx';
import type { Draft } from './draft.ts';
import styles from './Sync.module.css';

interface MapsProps {
  draft: Draft;
  label: string;
  fields: readonly CrmField[];
  onChange: (changes: Partial<Draft>) => void;
}

type Values = { crm: string; yes: string; no: string };
const PURPOSE_LABELS = { marketing: 'Marketing', transactional: 'Transactional' } as const;

/** The CRM fields that state who has opted out and who has given which consent. */
export function ConsentMaps({ draft, label, fields, onChange }: MapsProps) {
  const { consents, opt_out } = draft;
  const set = (at: number, changes: Partial<Draft['consents'][number]>) =>
    onChange({ consents: consents.map((map, index) => (index === at ? { ...map, ...changes } : map)) });
  return (
    <>
      {opt_out && (
        <fieldset className={styles.consent}>
          <legend>Opt-out field</legend>
          <FieldValues
            values={opt_out}
            label={label}
            fields={fields}
            onChange={(values) => onChange({ opt_out: values })}
          />
        </fieldset>
      )}
      {consents.map((map, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: consents have no identity, and keep their places
        <fieldset key={at} className={styles.consent}>
          <legend>Consent {at + 1}</legend>
          <FieldValues values={map} label={label} fields={fields} onChange={(values) => set(at, values)} />
          <Pair>
            <NativeSelect
              label="Channel"
              data={CHANNELS.map((name) => ({ value: name, label: CHANNEL_LABELS[name] }))}
              value={map.channel}
              onChange={({ currentTarget: { value } }) => set(at, { channel: value as typeof map.channel })}
            />
            <NativeSelect
              label="Purpose"
              data={CONSENT_PURPOSES.map((name) => ({ value: name, label: PURPOSE_LABELS[name] }))}
              value={map.purpose}
              onChange={({ currentTarget: { value } }) => set(at, { purpose: value as typeof map.purpose })}
            />
          </Pair>
          <Textarea
            label="Text that people agreed to"
            description="Stored with each consent as proof."
            autosize
            maxLength={2_000}
            value={map.text}
            onChange={({ currentTarget: { value } }) => set(at, { text: value })}
          />
          <div>
            <Button
              variant="default"
              onClick={() => onChange({ consents: consents.filter((_, index) => index !== at) })}
            >
              Remove consent {at + 1}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={consents.length >= 6}
          onClick={() =>
            onChange({
              consents: [
                ...consents,
                { crm: '', yes: 'Yes', no: 'No', channel: DEFAULT_CHANNEL, purpose: 'marketing', text: '' },
              ],
            })
          }
        >
          Add consent
        </Button>
      </div>
    </>
  );
}

interface ValuesProps {
  values: Values;
  label: string;
  fields: readonly CrmField[];
  onChange: (values: Values) => void;
}

/** A field, and its values that mean yes and no. */
function FieldValues({ values: { crm, yes, no }, label, fields, onChange }: ValuesProps) {
  const choices = fields.find(({ key }) => key === crm)?.choices ?? [];
  const select = (key: string) => {
    const offered = fields.find((field) => field.key === key)?.choices ?? [];
    onChange({ crm: key, yes: offered[0] ?? yes, no: offered[1] ?? no });
  };
  const Input = ({ title, value, name }: { title: string; value: string; name: 'yes' | 'no' }) =>
    choices.length > 0 ? (
      <NativeSelect
        label={title}
        data={[...choices]}
        value={value}
        onChange={({ currentTarget }) => onChange({ crm, yes, no, [name]: currentTarget.value })}
      />
    ) : (
      <TextInput
        label={title}
        value={value}
        maxLength={200}
        onChange={({ currentTarget }) => onChange({ crm, yes, no, [name]: currentTarget.value })}
      />
    );
  return (
    <>
      <NativeSelect
        label={`Field in ${label}`}
        data={[{ value: '', label: 'Select a field' }, ...fields.map((one) => ({ value: one.key, label: one.label }))]}
        value={crm}
        onChange={({ currentTarget: { value } }) => select(value)}
      />
      <Pair>
        {Input({ title: 'Value for yes', value: yes, name: 'yes' })}
        {Input({ title: 'Value for no', value: no, name: 'no' })}
      </Pair>
    </>
  );
}
