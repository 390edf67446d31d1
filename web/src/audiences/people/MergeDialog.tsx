/** Merges another person into this one, with a choice for each value that differs. Loads when it opens. */
import { Button, Modal, Radio, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { fieldText } from '@parley/contract/audiences/field_values.ts';
import { createMerge, listDuplicates } from '@parley/contract/audiences/merges.ts';
import { getPerson, listPeople, type Person } from '@parley/contract/audiences/people.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Audiences.module.css';
import { contactName } from '../contacts/ContactPanel.tsx';
import { useContactFields } from './contact_fields.ts';

interface MergeDialogProps {
  /** The ID or number of the person who is kept. */
  id: string;
  onClose: () => void;
}

export default function MergeDialog({ id, onClose }: MergeDialogProps) {
  const person = useEndpoint(getPerson, { params: { id } });
  const [other, setOther] = useState<Person | null>(null);
  return (
    <Modal opened onClose={onClose} title="Merge people" size="lg">
      {person.error && (
        <Notice tone="fail">
          {person.error.status === 404
            ? 'This number is not in your contacts. Open the person to add it first.'
            : person.error.message}
        </Notice>
      )}
      {person.isPending && <Skeleton height={120} />}
      {person.data &&
        (other ? (
          <Compare kept={person.data.data} other={other} onBack={() => setOther(null)} onClose={onClose} />
        ) : (
          <Choose kept={person.data.data} onChoose={setOther} />
        ))}
    </Modal>
  );
}

function Choose({ kept, onChoose }: { kept: Person; onChoose: (person: Person) => void }) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const duplicates = useEndpoint(listDuplicates, { params: { id: kept.id } });
  const found = useEndpoint(
    listPeople,
    { query: { page_size: 10, filter: { search } } },
    { enabled: search !== '', keepPrevious: true },
  );
  const shown = search === '' ? duplicates : found;
  const rows = shown.data?.data.filter(({ id }) => id !== kept.id);
  return (
    <div className={styles.form}>
      <p className={styles.cutNote}>
        {contactName(kept)} keeps this number. The other person’s number, audiences, messages, and consents are added.
      </p>
      <TextInput
        label="Other person"
        placeholder="Search by number or name"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      {shown.error && (
        <ErrorState title="The people could not be loaded" onRetry={() => void shown.refetch()}>
          {shown.error.message}
        </ErrorState>
      )}
      {rows === undefined && !shown.error && <Skeleton height={40} />}
      {rows?.length === 0 && (
        <p className={styles.cutNote}>
          {search === '' ? 'No people have the same name. Search above.' : 'No people match.'}
        </p>
      )}
      {rows && rows.length > 0 && (
        <ul className={styles.plainList} aria-label={search === '' ? 'People with the same name' : 'People'}>
          {rows.map((row) => (
            <li key={row.id}>
              <Button variant="default" fullWidth justify="space-between" onClick={() => onChoose(row)}>
                <bdi>{contactName(row)}</bdi>&nbsp;
                <PhoneNumber value={row.number} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const TEXTS = {
  first_name: 'First name',
  last_name: 'Last name',
  custom1: 'Custom 1',
  custom2: 'Custom 2',
  language: 'Language',
  timezone: 'Time zone',
} as const;

interface Difference {
  key: string;
  label: string;
  /** The values of the person who is kept and of the other one. */
  values: readonly [string, string];
}

function listDifferences(kept: Person, other: Person, labels: ReadonlyMap<string, string>): Difference[] {
  const texts = Object.entries(TEXTS).map(([key, label]): Difference => {
    const name = key as keyof typeof TEXTS;
    return { key, label, values: [kept[name], other[name]] };
  });
  const keys = Object.keys({ ...kept.fields, ...other.fields });
  const fields = keys.map(
    (key): Difference => ({
      key: `fields.${key}`,
      label: labels.get(key) ?? key,
      values: [fieldText(kept.fields[key]), fieldText(other.fields[key])],
    }),
  );
  return [...texts, ...fields].filter(({ values: [one, two] }) => one !== '' && two !== '' && one !== two);
}

interface CompareProps {
  kept: Person;
  other: Person;
  onBack: () => void;
  onClose: () => void;
}

function Compare({ kept, other, onBack, onClose }: CompareProps) {
  const labels = new Map(useContactFields().map(({ key, label }) => [key, label]));
  const differences = listDifferences(kept, other, labels);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const merge = useAction(createMerge, {
    invalidates: ['people', 'contacts', 'audiences', 'person_timeline', 'consents'],
    onSuccess: () => {
      toast.success('People merged. You can undo this for 30 days.');
      onClose();
    },
  });
  const choose = (key: string, isOther: boolean) =>
    setTaken((old) => new Set(isOther ? [...old, key] : [...old].filter((one) => one !== key)));
  const run = () => {
    const chosen = [...taken];
    const texts = chosen.filter((key) => !key.startsWith('fields.'));
    const fields = chosen.filter((key) => key.startsWith('fields.')).map((key) => key.slice('fields.'.length));
    const values = {
      ...Object.fromEntries(texts.map((key) => [key, other[key as keyof typeof TEXTS]])),
      ...(fields.length > 0 && { fields: Object.fromEntries(fields.map((key) => [key, other.fields[key]!])) }),
    };
    merge.mutate({ params: { id: kept.id }, body: { person: other.id, values } });
  };
  return (
    <div className={styles.form}>
      <p className={styles.cutNote}>
        <PhoneNumber value={other.number} /> becomes another number of {contactName(kept)}. Campaigns send only to{' '}
        <PhoneNumber value={kept.number} />. If either number has opted out, neither gets messages.
      </p>
      {differences.map(({ key, label, values: [one, two] }) => (
        <Radio.Group
          key={key}
          label={label}
          value={taken.has(key) ? 'other' : 'kept'}
          onChange={(value) => choose(key, value === 'other')}
        >
          <div className={styles.form}>
            <Radio value="kept" label={<bdi>{one}</bdi>} />
            <Radio value="other" label={<bdi>{two}</bdi>} />
          </div>
        </Radio.Group>
      ))}
      {merge.error && <Notice tone="fail">{merge.error.message}</Notice>}
      <Buttons>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button onClick={run} loading={merge.isPending}>
          Merge people
        </Button>
      </Buttons>
    </div>
  );
}
