import { Button, MultiSelect } from '@mantine/core';
import type { Audience } from '@parley/contract/audiences/audiences.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAudiences } from './choices.ts';
import type { StepProps } from './step.ts';

const LONG_LIST = { withScrollArea: false, styles: { options: { maxHeight: 260, overflowY: 'auto' } } } as const;

/** Additional audiences that get the campaign, and audiences that do not. */
export function MoreAudiences({ channel, draft, change }: StepProps) {
  const { audience_id, more_audience_ids: more, excluded_audience_ids: excluded } = draft;
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && more.length === 0 && excluded.length === 0)
    return (
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Add or exclude audiences
        </Button>
      </div>
    );
  return (
    <>
      <AudiencesSelect
        channel={channel}
        label="Additional audiences"
        description="A number in several audiences gets only one message."
        value={more}
        hidden={[...(audience_id ? [audience_id] : []), ...excluded]}
        onChange={(more_audience_ids) => change({ more_audience_ids })}
      />
      <AudiencesSelect
        channel={channel}
        label="Excluded audiences"
        description="Contacts in these audiences do not get the message."
        value={excluded}
        hidden={[...(audience_id ? [audience_id] : []), ...more]}
        onChange={(excluded_audience_ids) => change({ excluded_audience_ids })}
      />
    </>
  );
}

interface SelectProps extends Pick<StepProps, 'channel'> {
  label: string;
  description: string;
  value: string[];
  /** Audiences that are selected elsewhere. */
  hidden: readonly string[];
  onChange: (ids: string[]) => void;
}

function AudiencesSelect({ channel, label, description, value, hidden, onChange }: SelectProps) {
  const [search, setSearch] = useState('');
  const [known, setKnown] = useState<ReadonlyMap<string, Audience>>(new Map());
  const { audiences } = useAudiences(channel, search, null);
  // The names of selected audiences stay known while the list shows other matches.
  if (audiences?.some(({ id }) => !known.has(id)))
    setKnown(new Map([...known, ...audiences.map((audience) => [audience.id, audience] as const)]));
  const offered = [...new Set([...value, ...(audiences ?? []).map(({ id }) => id)])].filter(
    (id) => !hidden.includes(id),
  );
  return (
    <MultiSelect
      label={label}
      description={description}
      data={offered.map((id) => ({ value: id, label: known.get(id)?.name ?? 'Audience' }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage="No matching audiences"
      {...LONG_LIST}
    />
  );
}
