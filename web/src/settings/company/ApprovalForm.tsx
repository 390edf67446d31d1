import { Checkbox, NumberInput } from '@mantine/core';
import type { ApprovalRule } from '@parley/contract/accounts/campaign_rules.ts';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const USUAL: ApprovalRule = { recipients: 1_000, amount_micros: null };
const MICROS = 1_000_000;

/** When another user must approve a campaign. */
export function ApprovalForm() {
  const { account, user } = useSession();
  const missing = useReason(updateAccount.needs);
  const reason = missing ?? (user.is_owner ? null : 'Only the owner can change this.');
  const [rule, setRule] = useState(account.campaign_approval);
  const save = useAction(updateAccount, { onSuccess: () => toast.success('The approval rule was changed') });
  const saved = account.campaign_approval;
  const isDirty = rule?.recipients !== saved?.recipients || rule?.amount_micros !== saved?.amount_micros;
  const isEmpty = rule !== null && rule.recipients === null && rule.amount_micros === null;
  useUnsavedGuard(() => isDirty);
  return (
    <form
      className={styles.form}
      aria-label="Campaign approval"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save.mutate({ body: { campaign_approval: rule } });
      }}
    >
      <Checkbox
        label="Require approval by another user"
        description={reason ?? 'Any other user who can edit campaigns can approve. API keys cannot.'}
        disabled={reason !== null}
        checked={rule !== null}
        onChange={(event) => setRule(event.currentTarget.checked ? USUAL : null)}
      />
      {rule && (
        <div className={styles.pair}>
          <NumberInput
            label="Above this many recipients"
            description="Leave empty for no limit."
            readOnly={reason !== null}
            min={0}
            max={100_000_000}
            allowDecimal={false}
            thousandSeparator=","
            hideControls
            error={isEmpty ? 'Enter a number of recipients or a cost' : undefined}
            value={rule.recipients ?? ''}
            onChange={(value) => setRule({ ...rule, recipients: typeof value === 'number' ? value : null })}
          />
          <NumberInput
            label={`Above this cost (${account.currency})`}
            description="Leave empty for no limit."
            readOnly={reason !== null}
            min={0}
            max={1_000_000_000}
            decimalScale={2}
            thousandSeparator=","
            hideControls
            value={rule.amount_micros === null ? '' : rule.amount_micros / MICROS}
            onChange={(value) =>
              setRule({ ...rule, amount_micros: typeof value === 'number' ? Math.round(value * MICROS) : null })
            }
          />
        </div>
      )}
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setRule(saved)}
        save="Save approval rule"
        reason={reason}
      />
    </form>
  );
}
