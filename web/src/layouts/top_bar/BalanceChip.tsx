import { Button, VisuallyHidden } from '@mantine/core';
import { getBalance } from '@parley/contract/billing/billing.ts';
import { IconWallet } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { ADD_FUNDS, BILLING } from '../../paths.ts';
import { Money } from '../../ui/data/Money.tsx';
import { Skeleton } from '../../ui/feedback/Skeletons.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
import styles from './TopBar.module.css';

const MICROS = 1_000_000;

/**
 * The available balance, with reserved and frozen amounts in a popover. Hidden from users without access to payments.
 */
export function BalanceChip() {
  const { account } = useSession();
  const allowed = useReason(getBalance.needs) === null;
  const balance = useEndpoint(getBalance, { params: { id: account.id } }, { enabled: allowed }).data?.data;
  if (!allowed) return null;
  const currency = balance?.currency ?? account.currency;
  return (
    <Popup
      label="Balance"
      className={styles.popover}
      target={(props) => (
        <button {...props} className={styles.chip}>
          <IconWallet size={15} stroke={1.8} aria-hidden />
          <VisuallyHidden>Balance </VisuallyHidden>
          {balance ? <Money micros={balance.available_micros} currency={currency} /> : <Skeleton width={58} />}
        </button>
      )}
    >
      {(close) => (
        <>
          <dl className={styles.amounts}>
            <Amount label="Available" micros={balance?.available_micros} currency={currency} />
            <Amount label="Reserved" micros={balance?.held_micros} currency={currency} />
            <Amount
              label="Frozen"
              micros={balance === undefined ? undefined : Math.round(balance.pending_balance * MICROS)}
              currency={currency}
            />
            {balance && balance.configuration.credit_limit > 0 && (
              <Amount
                label="Credit limit"
                micros={Math.round(balance.configuration.credit_limit * MICROS)}
                currency={currency}
              />
            )}
          </dl>
          <Allow needs="PAYMENTS:add">
            <Button component={Link} to={ADD_FUNDS} fullWidth onClick={close}>
              Add funds
            </Button>
          </Allow>
          <Button component={Link} to={BILLING} variant="subtle" fullWidth onClick={close}>
            Open billing
          </Button>
        </>
      )}
    </Popup>
  );
}

function Amount({ label, micros, currency }: { label: string; micros: number | undefined; currency: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{micros === undefined ? <Skeleton width={58} /> : <Money micros={micros} currency={currency} />}</dd>
    </div>
  );
}
