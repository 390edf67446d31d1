import { useState } from 'react';
import { createAudiencePath } from '../../paths.ts';
import { formatCount } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { FixLink } from '../FixLink.tsx';
import { useAudiences } from './choices.ts';
import { LoadFailure } from './LoadFailure.tsx';
import type { StepProps } from './step.ts';
import styles from './Wizard.module.css';

export function AudienceField({ channel, draft, change, errors }: StepProps) {
  const [search, setSearch] = useState('');
  // The field contains the name of the selected audience. This name is not used as the search text, so that the list
  // also offers the other audiences.
  const [selectedName, setSelectedName] = useState('');
  const typed = search === selectedName ? '' : search;
  const { audiences, selected, reason, failure } = useAudiences(channel, typed, draft.audience_id);
  if (selected && selected.name !== selectedName) setSelectedName(selected.name);
  const listed =
    selected && !audiences?.some((audience) => audience.id === selected.id)
      ? [selected, ...(audiences ?? [])]
      : audiences;
  return (
    <>
      <SearchSelect
        label="Audience"
        placeholder={reason ?? (audiences === undefined ? 'Loading' : 'Select an audience')}
        data={(listed ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={selected?.id ?? null}
        data-path="audience"
        error={errors.fieldError('audience')}
        onChange={(audience_id) => change({ audience_id })}
        searchValue={search}
        onSearchChange={setSearch}
        filter={({ options }) => options}
        nothingFoundMessage="No matching audiences"
        renderOption={({ option }) => (
          <span className={styles.option}>
            <span>{option.label}</span>
            <span className={styles.optionNote}>
              {formatCount(listed?.find(({ id }) => id === option.value)?.contacts_count ?? 0, 'contact')}
            </span>
          </span>
        )}
        disabled={reason !== null}
      />
      <LoadFailure what="The audiences" failure={failure} />
      {audiences?.length === 0 && search === '' && (
        <Notice tone="info" action={<FixLink fix={{ label: 'Create audience', path: createAudiencePath(channel) }} />}>
          No audiences yet. Upload a file of contacts to create one.
        </Notice>
      )}
    </>
  );
}
