/** How soon conversations get a first reply and are closed. */
import { Checkbox, NativeSelect } from '@mantine/core';
import { listLabels } from '@parley/contract/inbox/labels.ts';
import { getInboxSettings, type InboxSettings, updateInboxSettings } from '@parley/contract/inbox/settings.ts';
import { RESOLUTION_TARGET_MAX_MINUTES, RESPONSE_TARGET_MAX_MINUTES } from '@parley/contract/inbox/targets.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';
import { TargetInput } from './TargetInput.tsx';

type Targets = Pick<
  InboxSettings,
  'response_target_minutes' | 'resolution_target_minutes' | 'targets_in_office_hours' | 'overdue_label_id'
>;

export function TargetsPart() {
  const query = useEndpoint(getInboxSettings);
  if (query.error)
    return (
      <ErrorState title="The targets could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={3} />;
  const { auto_close_days: _, office_hours, ...saved } = query.data.data;
  return <TargetsForm key={JSON.stringify(saved)} saved={saved} hasHours={office_hours !== null} />;
}

function TargetsForm({ saved, hasHours }: { saved: Targets; hasHours: boolean }) {
  const reason = useReason(updateInboxSettings.needs);
  const labels = useEndpoint(listLabels).data?.data ?? [];
  const [values, setValues] = useState(saved);
  const save = useAction(updateInboxSettings, { onSuccess: () => toast.success('Targets saved') });
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);
  useUnsavedGuard(() => isDirty);
  const change = (next: Partial<Targets>) => setValues((old) => ({ ...old, ...next }));
  const disabled = reason !== null;
  return (
    <form
      className={styles.form}
      aria-label="Targets"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: values });
      }}
    >
      <TargetInput
        label="First response"
        value={values.response_target_minutes}
        onChange={(response_target_minutes) => change({ response_target_minutes })}
        max={RESPONSE_TARGET_MAX_MINUTES}
        placeholder="No target"
        disabled={disabled}
      />
      <TargetInput
        label="Resolution"
        value={values.resolution_target_minutes}
        onChange={(resolution_target_minutes) => change({ resolution_target_minutes })}
        max={RESOLUTION_TARGET_MAX_MINUTES}
        placeholder="No target"
        disabled={disabled}
      />
      <Checkbox
        label="Count only office hours"
        description={
          hasHours
            ? 'A day is then 24 office hours.'
            : 'No office hours are set, so every hour counts. Set them above to pause the clocks at all other times.'
        }
        checked={values.targets_in_office_hours}
        disabled={disabled}
        onChange={({ currentTarget: { checked } }) => change({ targets_in_office_hours: checked })}
      />
      <NativeSelect
        label="Label for overdue conversations"
        value={values.overdue_label_id ?? ''}
        data={[{ value: '', label: 'No label' }, ...labels.map(({ id, name }) => ({ value: id, label: name }))]}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => change({ overdue_label_id: value || null })}
      />
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setValues(saved)}
        save="Save targets"
        reason={reason}
      />
    </form>
  );
}
