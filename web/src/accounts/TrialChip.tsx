import { Button } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../kernel/session/session.tsx';
import { ADD_FUNDS } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Popup } from '../ui/layout/Popup.tsx';
import styles from './Accounts.module.css';
import { daysLeftLabel, isEnding, TRIAL_RESTRICTION, trialEnd } from './trial.ts';

/** The chip in the top bar of trial accounts: how many days are left, and what happens when the trial ends. */
export function TrialChip() {
  const { account } = useSession();
  if (!account.trial || account.days_left === null) return null;
  const days = account.days_left;
  return (
    <Popup
      label="Free trial"
      className={styles.popover}
      target={(props) => (
        <button {...props} className={styles.chip} data-ending={isEnding(days) || undefined}>
          <IconHourglass size={15} stroke={1.8} aria-hidden />
          <span className={styles.chipLong}>
            {account.trial_period_expired ? '' : 'Trial: '}
            {daysLeftLabel(days)}
          </span>
          <span className={styles.chipShort} aria-hidden>
            {days} d
          </span>
        </button>
      )}
    >
      {(close) => (
        <>
          <p className={styles.popoverTitle}>
            {account.trial_period_expired ? 'The trial ended on ' : 'The trial ends on '}
            <DateTime value={trialEnd(account)} />
          </p>
          <ul className={styles.points}>
            <li>After that, you cannot send or edit anything until you add funds.</li>
            <li>Nothing is deleted. Your contacts, messages, and settings are kept.</li>
            <li>You can end the trial at any time by adding funds. Your setup is kept.</li>
          </ul>
          {account.is_restricted_onboarding && <p className={styles.dim}>{TRIAL_RESTRICTION}</p>}
          <Button component={Link} to={ADD_FUNDS} fullWidth mt="md" onClick={close}>
            Add funds
          </Button>
        </>
      )}
    </Popup>
  );
}
