import { Checkbox, NumberInput } from '@mantine/core';
import type { FrequencyCap } from '@parley/contract/accounts/campaign_rules.ts';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const USUAL: FrequencyCap = { per_day: 1, per_week: 3 };
const FIELDS = [
  ['per_day', 'Messages per day'],
  ['per_week', 'Messages per week'],
] as const;

/** How many messages of campaigns a person gets at most. */
export function FrequencyForm() {
  const { account } = useSession();
  const reason = useReason(updateAccount.needs);
  const saved = account.frequency_cap;
  const [cap, setCap] = useState(saved);
  const save = useAction(updateAccount, { onSuccess: () => toast.success('The frequency cap was changed') });
  const isDirty = cap?.per_day !== saved?.per_day || cap?.per_week !== saved?.per_week;
  const isEmpty = cap !== null && cap.per_day === null && cap.per_week === null;
  useUnsavedGuard(() => isDirty);
  return (
    <form
      className={styles.form}
      aria-label="Frequency cap"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save.mutate({ body: { frequency_cap: cap } });
      }}
    >
      <Checkbox
        label="Limit campaign messages per person"
        description="Replies, single messages, and verification codes do not count."
        disabled={reason !== null}
        checked={cap !== null}
        onChange={(event) => setCap(event.currentTarget.checked ? USUAL : null)}
      />
      {cap && (
        <div className={styles.pair}>
          {FIELDS.map(([key, label]) => (
            <NumberInput
              key={key}
              label={label}
              description="Leave empty for no limit."
              readOnly={reason !== null}
              min={1}
              max={1_000}
              allowDecimal={false}
              hideControls
              error={isEmpty && key === 'per_day' ? 'Enter a number per day or per week' : undefined}
              value={cap[key] ?? ''}
              onChange={(value) => setCap({ ...cap, [key]: typeof value === 'number' && value > 0 ? value : null })}
            />
          ))}
        </div>
      )}
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setCap(saved)}
        save="Save frequency cap"
        reason={reason}
      />
    </form>
  );
}
