/** Appears above every page for operators while sending is held. */
import { Button } from '@mantine/core';
import { getSendingHold } from '@parley/contract/admin/sending_hold.ts';
import { Link, useLocation } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { SENDING } from '../../paths.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from './Sending.module.css';

const REFRESH_MS = 30_000;

export default function SendingBanner() {
  return useReason(getSendingHold.needs) ? null : <HeldSending />;
}

function HeldSending() {
  const hold = useEndpoint(getSendingHold, {}, { refetchInterval: REFRESH_MS }).data?.data;
  const { pathname } = useLocation();
  if (!hold || hold.state === 'open' || pathname === SENDING) return null;
  return (
    <Notice
      tone="fail"
      className={styles.banner}
      action={
        <Button component={Link} to={SENDING} size="xs" variant="default">
          View messages
        </Button>
      }
    >
      {hold.state === 'checking'
        ? 'Sending is on hold. The database was replaced and is being checked.'
        : 'Sending is on hold. The database was replaced, and queued messages may already have been sent.'}
    </Notice>
  );
}
