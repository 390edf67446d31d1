import { Button, Select, TextInput } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { useState } from 'react';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { parsePhone, usePhone } from '../../ui/data/phone.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { FixLink } from '../FixLink.tsx';
import { VALIDITIES } from '../words.ts';
import { type Failure, type SenderChoice, useAudiences, usePreview } from './choices.ts';
import type { Draft } from './draft.ts';
import { statsOf } from './PreSend.tsx';
import styles from './Wizard.module.css';

export interface StepProps {
  channel: ChannelName;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

export function SetupStep({ channel, draft, change, senders, failed }: StepProps & SenderChoice) {
  const [search, setSearch] = useState('');
  // The codes in the list are written by the rules of their countries, which come a moment later.
  usePhone(senders?.[0]?.code ?? '');
  // The name of the one that is chosen stands in the field without being looked for: the others have to be there to choose from.
  const [known, setKnown] = useState('');
  const asked = search === known ? '' : search;
  const { audiences, chosen, reason, failed: lost } = useAudiences(channel, asked, draft.audience_id);
  if (chosen && chosen.name !== known) setKnown(chosen.name);
  const { preview, counting } = usePreview(channel, { ...draft, text: '' }, null, draft.audience_id !== null);
  const listed =
    chosen && !audiences?.some((audience) => audience.id === chosen.id) ? [chosen, ...(audiences ?? [])] : audiences;
  const stats: Stat[] = draft.audience_id ? statsOf(counting ? undefined : preview) : [];
  return (
    <div className={styles.fields}>
      <TextInput
        label="Name"
        description="For you and your team. Left empty, it gets the date and time."
        inputWrapperOrder={HELP_UNDER}
        maxLength={45}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <SearchSelect
        label="Sender"
        placeholder={senders === undefined ? 'Loading' : 'Choose who it comes from'}
        data={(senders ?? []).map((sender) => ({ value: sender.id, label: labelOf(sender) }))}
        value={senders?.some(({ id }) => id === draft.sender_id) ? draft.sender_id : null}
        onChange={(sender_id) => change({ sender_id })}
        nothingFoundMessage="No such sender"
        disabled={senders?.length === 0}
      />
      {senders?.length === 0 && (
        <Notice tone="wait" action={<FixLink fix={{ label: 'Open senders', path: '/senders' }} />}>
          You have no approved {channel} sender yet.
        </Notice>
      )}
      <Lost what="The senders" failure={failed} />
      <Select
        label="Audience"
        placeholder={reason ?? (audiences === undefined ? 'Loading' : 'Choose who gets it')}
        data={(listed ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen?.id ?? null}
        onChange={(audience_id) => change({ audience_id })}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        allowDeselect={false}
        filter={({ options }) => options}
        nothingFoundMessage="No such audience"
        renderOption={({ option }) => (
          <span className={styles.option}>
            <span>{option.label}</span>
            <span className={styles.optionNote}>
              {formatCount(listed?.find(({ id }) => id === option.value)?.contacts_count ?? 0, 'person', 'people')}
            </span>
          </span>
        )}
        disabled={reason !== null}
      />
      <Lost what="The audiences" failure={lost} />
      {audiences?.length === 0 && search === '' && (
        <Notice tone="info" action={<FixLink fix={{ label: 'Create audience', path: '/contacts/create-audience' }} />}>
          You have no audience yet. Upload a file of contacts to make one.
        </Notice>
      )}
      {stats.length > 0 && (
        <div>
          <StatChips label="Who would get it" stats={stats} />
          {preview && !counting && preview.counts.total > 0 && (
            <p className={styles.hint}>
              {formatNumber(preview.counts.total)} in the audience. Duplicates and invalid numbers were sorted out when
              they were imported.
            </p>
          )}
        </div>
      )}
      <Select
        className={styles.short}
        label="Give up after"
        description="A phone that stays off longer does not get it."
        inputWrapperOrder={HELP_UNDER}
        data={[...VALIDITIES]}
        value={String(draft.validity_seconds)}
        onChange={(value) => value && change({ validity_seconds: Number(value) })}
        allowDeselect={false}
      />
    </div>
  );
}

function Lost({ what, failure }: { what: string; failure: Failure | null }) {
  if (!failure) return null;
  return (
    <Notice
      tone="fail"
      action={
        <Button size="xs" variant="default" onClick={failure.retry}>
          Retry
        </Button>
      }
    >
      {what} could not be loaded. {failure.error.message}
    </Notice>
  );
}

const HELP_UNDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

const labelOf = ({ name, code }: Sender): string => {
  const { text } = parsePhone(code);
  return name === code ? text : `${name} (${text})`;
};
