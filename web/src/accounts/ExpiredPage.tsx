import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHourglassEmpty } from '@tabler/icons-react';
import { Link, Navigate } from '@tanstack/react-router';
import { Allow } from '../kernel/session/allow.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { ADD_FUNDS, MY_USER } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';
import styles from './Accounts.module.css';
import { trialEnd } from './trial.ts';

const KEPT = [
  'Contacts, campaigns, conversations, and the message log',
  'Your user account, settings, and team',
  'Read-only API requests and the stop list',
];
const PAUSED = [
  'Sending through campaigns, the inbox, and the API',
  'Creating and editing contacts, templates, and campaigns',
  'Scheduled campaigns',
];

export default function ExpiredPage() {
  const { account } = useSession();
  if (!account.trial_period_expired) return <Navigate to="/" replace />;
  return (
    <div className={styles.expired}>
      <span className={styles.expiredIcon}>
        <IconHourglassEmpty size={24} stroke={1.6} aria-hidden />
      </span>
      <h1 className={styles.expiredTitle}>Your trial has ended</h1>
      <p className={styles.expiredText}>
        The trial for {account.company_name} ended on <DateTime value={trialEnd(account)} show="date" />. Your data is
        kept. Add funds to continue where you left off.
      </p>
      <Buttons>
        <Allow needs="PAYMENTS:add">
          <Button component={Link} to={ADD_FUNDS}>
            Add funds
          </Button>
        </Allow>
        <Button component={Link} to={MY_USER} variant="default">
          Settings
        </Button>
        <Button component={Link} to="/logout" variant="subtle">
          Sign out
        </Button>
      </Buttons>
      <div className={styles.twoLists}>
        <List title="What you keep" icon={IconCircleCheck} tone="ok" points={KEPT} />
        <List title="Paused until you add funds" icon={IconCircleX} tone="off" points={PAUSED} />
      </div>
    </div>
  );
}

interface ListProps {
  title: string;
  icon: typeof IconCircleCheck;
  tone: 'ok' | 'off';
  points: readonly string[];
}

function List({ title, icon: Icon, tone, points }: ListProps) {
  return (
    <section>
      <h2 className={styles.listTitle}>{title}</h2>
      <ul className={styles.marked} data-tone={tone}>
        {points.map((point) => (
          <li key={point}>
            <Icon size={17} stroke={1.8} aria-hidden />
            {point}
          </li>
        ))}
      </ul>
    </section>
  );
}
