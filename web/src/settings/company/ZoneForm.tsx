import { Button } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useEffect, useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { formatDateTime } from '../../ui/data/format.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { ZoneSelect } from '../../ui/form/ZoneSelect.tsx';
import styles from '../Settings.module.css';

export function ZoneForm() {
  const { account } = useSession();
  const reason = useReason(updateAccount.needs);
  const [zone, setZone] = useState(account.timezone);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = useAction(updateAccount, { onSuccess: () => toast.success('The time zone was changed') });
  const isDirty = zone !== account.timezone;
  useUnsavedGuard(() => isDirty);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { timezone: zone } });
      }}
    >
      <ZoneSelect
        label="Time zone"
        description={`Current time: ${formatDateTime(now, zone)}`}
        readOnly={reason !== null}
        current={account.timezone}
        value={zone}
        onChange={(value) => value && setZone(value)}
      />
      {deviceZone !== zone && reason === null && (
        <Buttons>
          <Button variant="subtle" onClick={() => setZone(deviceZone)}>
            Use this device’s time zone: {deviceZone.replaceAll('_', ' ')}
          </Button>
        </Buttons>
      )}
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setZone(account.timezone)}
        save="Save time zone"
        reason={reason}
      />
    </form>
  );
}
