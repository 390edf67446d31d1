import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHourglassEmpty } from '@tabler/icons-react';
import { Link, Navigate, useRouter } from '@tanstack/react-router';
import { Allow } from '../kernel/session/allow.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { MY_USER } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';
import styles from './Accounts.module.css';
import { trialEnd } from './trial.ts';

const ADD_FUNDS = '/add-funds';
const STAYS = [
  'Contacts, campaigns, conversations and the message log, exactly as they were',
  'Your sign-in, your settings and those of your colleagues',
  'Requests to the API that only read, and the stop list: people who said stop stay off',
];
const RESTS = [
  'Sending by campaign, inbox and API',
  'Creating and changing contacts, templates and campaigns',
  'Scheduled campaigns: they wait and do not go out by themselves',
];

export default function ExpiredPage() {
  const { account } = useSession();
  const { routesByPath } = useRouter();
  if (!account.trial_period_expired) return <Navigate to="/" replace />;
  const payable = ADD_FUNDS in routesByPath;
  return (
    <div className={styles.expired}>
      <span className={styles.expiredIcon}>
        <IconHourglassEmpty size={24} stroke={1.6} aria-hidden />
      </span>
      <h1 className={styles.expiredTitle}>Your trial has ended</h1>
      <p className={styles.expiredLine}>
        The 30 days of {account.company_name} were over on <DateTime value={trialEnd(account)} show="date" />. Nothing
        has been deleted, and it goes on where you left off as soon as you add funds.
      </p>
      <Buttons>
        {payable && (
          <Allow needs="PAYMENTS:add">
            <Button component={Link} to={ADD_FUNDS}>
              Add funds
            </Button>
          </Allow>
        )}
        <Button component={Link} to={MY_USER} variant="default">
          Settings
        </Button>
        <Button component={Link} to="/logout" variant="subtle">
          Sign out
        </Button>
      </Buttons>
      {!payable && (
        <p className={styles.dim}>To add funds, write to support at {window.location.host} and name your company.</p>
      )}
      <div className={styles.twoLists}>
        <List title="What stays" icon={IconCircleCheck} tone="ok" points={STAYS} />
        <List title="What rests until then" icon={IconCircleX} tone="off" points={RESTS} />
      </div>
    </div>
  );
}

function List({
  title,
  icon: Icon,
  tone,
  points,
}: {
  title: string;
  icon: typeof IconCircleCheck;
  tone: 'ok' | 'off';
  points: readonly string[];
}) {
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
