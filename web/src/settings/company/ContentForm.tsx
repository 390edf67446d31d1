import { NativeSelect } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const TIMES: readonly (readonly [days: number, label: string])[] = [
  [30, '30 days'],
  [90, '90 days'],
  [180, '180 days'],
  [365, '1 year'],
  [730, '2 years'],
  [1_825, '5 years'],
  [3_650, '10 years'],
];

/** How long the contents of messages and notes are kept. */
export function ContentForm() {
  const { account, user } = useSession();
  const missing = useReason(updateAccount.needs);
  const reason = missing ?? (user.is_owner ? null : 'Only the owner can change this');
  const saved = account.content_days;
  const [days, setDays] = useState(saved);
  const save = useAction(updateAccount, { onSuccess: () => toast.success('The retention of contents was changed') });
  // The API accepts any number of days.
  const times =
    days === null || TIMES.some(([time]) => time === days) ? TIMES : [...TIMES, [days, `${days} days`] as const];
  useUnsavedGuard(() => days !== saved);
  const submit = async () => {
    const isShorter = days !== null && (saved === null || days < saved);
    if (isShorter && !(await confirmDeletion(times.find(([time]) => time === days)![1]))) return;
    save.mutate({ body: { content_days: days } });
  };
  return (
    <form
      className={styles.form}
      aria-label="Retention"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <NativeSelect
        label="Keep contents for"
        description="Texts, received files, and notes. Times, statuses, numbers, and prices always stay."
        disabled={reason !== null}
        value={days ?? ''}
        onChange={(event) => setDays(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
        data={[
          { value: '', label: 'As long as the account exists' },
          ...times.map(([time, label]) => ({ value: String(time), label })),
        ]}
      />
      <SaveBar
        isDirty={days !== saved}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setDays(saved)}
        save="Save retention"
        reason={reason}
      />
    </form>
  );
}

const confirmDeletion = (time: string): Promise<boolean> =>
  confirm({
    title: `Delete contents that are older than ${time}?`,
    consequence:
      'Deletion begins within an hour and continues every hour. Deleted texts, files, and notes cannot be restored.',
    action: 'Delete old contents',
    danger: true,
  });
