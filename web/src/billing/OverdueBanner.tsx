/** Appears above every page while the balance is overdue. A default export, because it is loaded lazily. */
import { Button } from '@mantine/core';
import { getOverdue } from '@parley/contract/billing/overdue.ts';
import { Link, useLocation } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Billing.module.css';

const ADD_FUNDS = '/add-funds';

export default function OverdueBanner() {
  return useReason(getOverdue.needs) ? null : <Banner />;
}

function Banner() {
  const overdue = useEndpoint(getOverdue, {}).data?.data;
  const { pathname } = useLocation();
  if (!overdue || pathname === ADD_FUNDS) return null;
  const { owed_micros, currency, paused, next_date } = overdue;
  const isCard = owed_micros === 0;
  return (
    <Notice
      tone={paused ? 'fail' : 'wait'}
      className={styles.banner}
      action={
        <Button component={Link} to={isCard ? '/billing/auto-top-up' : ADD_FUNDS} size="xs" variant="default">
          {isCard ? 'Check card' : 'Add funds'}
        </Button>
      }
    >
      {isCard ? (
        'The card for your auto top-up was declined.'
      ) : (
        <>
          {paused && 'Sending is paused. '}Your account owes <Money micros={owed_micros} currency={currency} />.{' '}
          {paused ? (
            'Sending continues as soon as the payment arrives.'
          ) : next_date === null ? null : (
            <>
              The next reminder is due <DateTime value={next_date} />.
            </>
          )}
        </>
      )}
    </Notice>
  );
}
