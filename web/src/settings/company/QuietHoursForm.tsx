import { Checkbox } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { isTime } from '../../ui/form/dates/date_text.ts';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const USUAL = { from: '21:00', until: '08:00' };

/** The daily hours in which campaigns do not send. */
export function QuietHoursForm() {
  const { account } = useSession();
  const reason = useReason(updateAccount.needs);
  const [hours, setHours] = useState(account.quiet_hours);
  const save = useAction(updateAccount, { onSuccess: () => toast.success('The quiet hours were changed') });
  const isDirty = hours?.from !== account.quiet_hours?.from || hours?.until !== account.quiet_hours?.until;
  useUnsavedGuard(() => isDirty);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { quiet_hours: hours } });
      }}
    >
      <Checkbox
        label="Pause campaigns during quiet hours"
        description="Stricter legal hours apply in the United States, France, and India."
        disabled={reason !== null}
        checked={hours !== null}
        onChange={(event) => setHours(event.currentTarget.checked ? USUAL : null)}
      />
      {hours && (
        <>
          <DateField
            kind="time"
            label="Quiet from"
            readOnly={reason !== null}
            value={hours.from}
            onChange={(from) => isTime(from) && setHours({ ...hours, from })}
          />
          <DateField
            kind="time"
            label="Quiet until"
            readOnly={reason !== null}
            value={hours.until}
            error={hours.from === hours.until ? 'Must differ from the start' : undefined}
            onChange={(until) => isTime(until) && setHours({ ...hours, until })}
          />
        </>
      )}
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setHours(account.quiet_hours)}
        save="Save quiet hours"
        reason={reason}
      />
    </form>
  );
}
