import { NativeSelect } from '@mantine/core';
import { getInboxSettings, updateInboxSettings } from '@parley/contract/inbox/settings.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const DAYS = [1, 3, 7, 14, 30, 90];

/** When conversations close automatically. */
export function InboxForm() {
  const query = useEndpoint(getInboxSettings);
  const reason = useReason(updateInboxSettings.needs);
  const [chosen, setChosen] = useState<string | null>(null);
  const save = useAction(updateInboxSettings, {
    onSuccess: () => {
      setChosen(null);
      toast.success('Inbox settings saved');
    },
  });
  const saved = query.data ? String(query.data.data.auto_close_days ?? '') : '';
  const value = chosen ?? saved;
  const isDirty = value !== saved;
  useUnsavedGuard(() => isDirty);
  if (query.error)
    return (
      <ErrorState title="The inbox settings could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={2} />;
  const days = [...new Set([...DAYS, ...(saved ? [Number(saved)] : [])])].sort((a, b) => a - b);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { auto_close_days: value === '' ? null : Number(value) } });
      }}
    >
      <NativeSelect
        label="Close conversations"
        description="Conversations that are unread or waiting for a reply stay open."
        disabled={reason !== null}
        value={value}
        data={[
          { value: '', label: 'Only manually' },
          ...days.map((count) => ({
            value: String(count),
            label: `${formatCount(count, 'day')} after the last message`,
          })),
        ]}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setChosen(null)}
        save="Save inbox settings"
        reason={reason}
      />
    </form>
  );
}
