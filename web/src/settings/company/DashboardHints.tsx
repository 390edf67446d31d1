import { Button } from '@mantine/core';
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Settings.module.css';

export function DashboardHints() {
  const { account } = useSession();
  const { steps_closed = [], welcome_closed = false } = account.preference;
  const save = useAction(updatePreference, {
    onSuccess: () => toast.success('All dashboard hints are visible again'),
  });
  const reason = useReason(updatePreference);
  const areAllShown = steps_closed.length === 0 && !(welcome_closed && account.trial);
  return (
    <div className={styles.choice}>
      <span>Next steps and the trial welcome message</span>
      <Disabled reason={reason ?? (areAllShown ? 'All hints are already shown.' : null)}>
        <Button
          variant="default"
          size="xs"
          loading={save.isPending}
          onClick={() => save.mutate({ body: { steps_closed: [], welcome_closed: false } })}
        >
          Show hints
        </Button>
      </Disabled>
    </div>
  );
}
