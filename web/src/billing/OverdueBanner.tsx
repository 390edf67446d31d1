/** Appears above every page while the balance is overdue. A default export, because it is loaded lazily. */
import { Button } from '@mantine/core';
import { getOverdue } from '@parley/contract/billing/overdue.ts';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './OverdueBanner.module.css';

const ADD_FUNDS = '/add-funds';

export default function OverdueBanner() {
  const reason = useReason(getOverdue.needs);
  const { admin } = useSession();
  return reason || admin ? null : <Banner />;
}

/**
 * A place at the top of the page. The frame loads before this banner and does not know it, so that pages of accounts
 * without a debt load nothing for it. Pages that fill the window, such as the inbox, have no place.
 */
function useSlot(pathname: string): HTMLElement | null {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page may have another frame
  useEffect(() => {
    const page = document.getElementById('page');
    if (!page || page.dataset.flush) return;
    const place = document.createElement('div');
    page.prepend(place);
    setSlot(place);
    return () => {
      place.remove();
      setSlot(null);
    };
  }, [pathname]);
  return slot;
}

function Banner() {
  const overdue = useEndpoint(getOverdue, {}).data?.data;
  const { pathname } = useLocation();
  const slot = useSlot(pathname);
  if (!overdue || !slot || pathname === ADD_FUNDS) return null;
  const { owed_micros, currency, paused, next_date } = overdue;
  const isCard = owed_micros === 0;
  return createPortal(
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
    </Notice>,
    slot,
  );
}
