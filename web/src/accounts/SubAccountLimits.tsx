/** The limits and country lists that a sub-account inherits. A default export, because it loads when it opens. */
import { Button, Modal, NumberInput } from '@mantine/core';
import { countsSpend, describeLimit } from '@parley/contract/guard/limits.ts';
import {
  listSubAccountLimits,
  overrideLimit,
  resetLimit,
  type SubAccountLimit,
} from '@parley/contract/guard/overrides.ts';
import type { SubAccount } from '@parley/contract/team/subaccounts.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiError } from '../kernel/http/client.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { SMS_LIMITS } from '../paths.ts';
import { formatMoney, formatNumber } from '../ui/data/format.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Buttons, FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Accounts.module.css';
import { CountryExceptionsPart } from './CountryExceptionsPart.tsx';

const MICROS = 1_000_000;

export default function SubAccountLimits({ account, onClose }: { account: SubAccount; onClose: () => void }) {
  const limitsReason = useReason(listSubAccountLimits);
  return (
    <Modal opened onClose={onClose} title={`Limits: ${account.company_name}`} size="lg" centered>
      <div className={styles.form}>
        {limitsReason ? <p className={styles.dim}>{limitsReason}</p> : <Limits account={account} />}
        <CountryExceptionsPart account={account} />
      </div>
    </Modal>
  );
}

function Limits({ account }: { account: SubAccount }) {
  const query = useEndpoint(listSubAccountLimits, { params: { id: account.id } });
  if (query.error)
    return (
      <ErrorState
        title="The limits could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={4} />;
  const limits = query.data.data;
  if (limits.length === 0)
    return (
      <EmptyState
        title="No inherited limits"
        action={
          <Button variant="default" component={Link} to={SMS_LIMITS}>
            Open SMS limits
          </Button>
        }
      >
        To limit your sub-accounts, create a limit that applies to them.
      </EmptyState>
    );
  return (
    <ul className={styles.limits} aria-label="Inherited limits">
      {limits.map((limit) => (
        <LimitRow key={limit.id} account={account} limit={limit} />
      ))}
    </ul>
  );
}

interface RowProps {
  account: SubAccount;
  limit: SubAccountLimit;
}

function LimitRow({ account, limit }: RowProps) {
  const [isEditing, setEditing] = useState(false);
  const reason = useReason(overrideLimit);
  const params = { id: account.id, limit_id: limit.id };
  const onError = ({ message }: ApiError) => toast.error(message);
  const turnOff = useAction(overrideLimit, { onError, onSuccess: () => toast.success('Limit turned off') });
  const reset = useAction(resetLimit, { onError, onSuccess: () => toast.success('Limit reset') });
  const words = describeLimit(limit, (micros) => formatMoney(micros, account.currency));
  const isOff = limit.override?.limit === null;
  return (
    <li className={styles.limit}>
      <div className={styles.company}>
        <span className={styles.name}>{words}</span>
        <span className={styles.dim}>{stateText(limit, account)}</span>
      </div>
      {isEditing ? (
        <OverrideForm account={account} limit={limit} onClose={() => setEditing(false)} />
      ) : (
        <Buttons>
          <Disabled reason={reason}>
            <Button size="xs" variant="default" aria-label={`Override ${words}`} onClick={() => setEditing(true)}>
              Override
            </Button>
          </Disabled>
          {!isOff && (
            <Disabled reason={reason}>
              <Button
                size="xs"
                variant="default"
                aria-label={`Turn off ${words}`}
                loading={turnOff.isPending}
                onClick={() => turnOff.mutate({ params, body: { limit: null } })}
              >
                Turn off
              </Button>
            </Disabled>
          )}
          {limit.override && (
            <Disabled reason={reason}>
              <Button
                size="xs"
                variant="default"
                aria-label={`Reset ${words}`}
                loading={reset.isPending}
                onClick={() => reset.mutate({ params })}
              >
                Reset to inherited
              </Button>
            </Disabled>
          )}
        </Buttons>
      )}
    </li>
  );
}

export function stateText(limit: SubAccountLimit, { currency }: Pick<SubAccount, 'currency'>): string {
  const { override, used, sub_accounts, type } = limit;
  const amount = (value: number) => (countsSpend(type) ? formatMoney(value, currency) : formatNumber(value));
  const usedText = used === null ? [] : [`${amount(used)} used`];
  if (!override) {
    const mode = sub_accounts === 'together' ? 'Inherited, counted together with your company' : 'Inherited';
    return [mode, ...usedText].join(' · ');
  }
  if (override.limit === null) return 'Off for this sub-account';
  return [`Overridden: ${amount(override.limit)} for this sub-account`, ...usedText].join(' · ');
}

function OverrideForm({ account, limit, onClose }: RowProps & { onClose: () => void }) {
  const isSpend = countsSpend(limit.type);
  const factor = isSpend ? MICROS : 1;
  const [value, setValue] = useState<number | string>((limit.override?.limit ?? limit.limit) / factor);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useAction(overrideLimit, {
    onSuccess: () => {
      toast.success('Limit overridden');
      onClose();
    },
    onError: ({ message }: ApiError) => setProblem(message),
  });
  return (
    <form
      className={styles.form}
      aria-label="Override"
      onSubmit={(event) => {
        event.preventDefault();
        if (!(Number(value) > 0)) {
          setProblem(`Enter ${isSpend ? 'an amount' : 'a number'} above 0`);
          return;
        }
        const body = { limit: Math.round(Number(value) * factor) };
        save.mutate({ params: { id: account.id, limit_id: limit.id }, body });
      }}
    >
      <NumberInput
        label={isSpend ? `Limit for this sub-account (${account.currency})` : 'Limit for this sub-account'}
        description="The sub-account then counts separately."
        value={value}
        onChange={setValue}
        min={0}
        decimalScale={isSpend ? 2 : 0}
        thousandSeparator=","
        hideControls
        data-autofocus
      />
      <FormProblem>{problem}</FormProblem>
      <Buttons>
        <Button size="xs" type="submit" loading={save.isPending}>
          Save override
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}
