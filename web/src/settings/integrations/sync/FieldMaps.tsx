import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import type { CrmField } from '@parley/contract/crm/sync.ts';
import { IconArrowsHorizontal, IconPlus, IconTrash } from '@tabler/icons-react';
import { brandName } from '../../../ui/brand.ts';
import type { Draft } from './draft.ts';
import styles from './Sync.module.css';

const PERSON_FIELDS = [
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'custom1', label: 'Custom 1' },
  { value: 'custom2', label: 'Custom 2' },
  { value: 'language', label: 'Language' },
  { value: 'timezone', label: 'Time zone' },
];

interface MapsProps {
  draft: Draft;
  label: string;
  fields: readonly CrmField[];
  targets: readonly { value: string; label: string }[];
  onChange: (changes: Partial<Draft>) => void;
}

/** The fields that are copied. Each can be chosen once. */
export function FieldMaps({ draft, label, fields, targets, onChange }: MapsProps) {
  const all = [...PERSON_FIELDS, ...targets];
  const set = (at: number, changes: Partial<Draft['fields'][number]>) =>
    onChange({ fields: draft.fields.map((map, index) => (index === at ? { ...map, ...changes } : map)) });
  const freeField = fields.find(({ key }) => !draft.fields.some(({ crm }) => crm === key));
  const freeTarget = all.find(({ value }) => !draft.fields.some(({ parley }) => parley === value));
  return (
    <fieldset className={styles.consent}>
      <legend>Fields</legend>
      {draft.fields.map((map, at) => (
        <div key={map.crm} className={styles.map}>
          <NativeSelect
            label={`Field in ${label}`}
            data={fields
              .filter(({ key }) => key === map.crm || !draft.fields.some(({ crm }) => crm === key))
              .map(({ key, label: name }) => ({ value: key, label: name }))}
            value={map.crm}
            onChange={({ currentTarget: { value } }) => set(at, { crm: value })}
          />
          <span className={styles.arrow}>
            <IconArrowsHorizontal size={16} aria-hidden />
          </span>
          <NativeSelect
            label={`Field in ${brandName()}`}
            data={all.filter(
              ({ value }) => value === map.parley || !draft.fields.some(({ parley }) => parley === value),
            )}
            value={map.parley}
            onChange={({ currentTarget: { value } }) => set(at, { parley: value })}
          />
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={`Remove the field ${fields.find(({ key }) => key === map.crm)?.label ?? map.crm}`}
            onClick={() => onChange({ fields: draft.fields.filter((_, index) => index !== at) })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={!freeField || !freeTarget}
          onClick={() => onChange({ fields: [...draft.fields, { crm: freeField!.key, parley: freeTarget!.value }] })}
        >
          Add field
        </Button>
      </div>
    </fieldset>
  );
}
