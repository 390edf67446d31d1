import { Button } from '@mantine/core';
import { getBalance } from '@parley/contract/billing.ts';
import { getBadges } from '@parley/contract/inbox.ts';
import { IconAddressBook, IconArrowRight, IconInbox, type IconProps, IconSend } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useEndpoint } from '../kernel/query.ts';
import { routeReason } from '../kernel/routes.tsx';
import { useReason, useSession } from '../kernel/session.tsx';
import { Disabled } from '../ui/Disabled.tsx';
import { formatNumber } from '../ui/format.ts';
import { Money } from '../ui/Money.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { type Stat, StatChips } from '../ui/StatChips.tsx';
import styles from './HomePage.module.css';

interface Step {
  icon: ComponentType<IconProps>;
  title: string;
  text: string;
  action: string;
  path: string;
  needs: 'AUDIENCES:add' | 'CAMPAIGNS:add' | 'MESSAGES:view';
}

const STEPS: readonly Step[] = [
  {
    icon: IconAddressBook,
    title: 'Bring your contacts',
    text: 'A CSV or XLSX file becomes an audience. You see what was found before anything is stored.',
    action: 'Create audience',
    path: '/contacts/create-audience',
    needs: 'AUDIENCES:add',
  },
  {
    icon: IconSend,
    title: 'Send a campaign',
    text: 'Write once, with names in it. See what each person will get and what it will cost, then send.',
    action: 'Create SMS campaign',
    path: '/sms/create-campaign',
    needs: 'CAMPAIGNS:add',
  },
  {
    icon: IconInbox,
    title: 'Answer the replies',
    text: 'What people write back arrives in the inbox within a second, next to everything you sent them.',
    action: 'Open inbox',
    path: '/inbox/assigned-to-me',
    needs: 'MESSAGES:view',
  },
];

export default function HomePage() {
  const session = useSession();
  const router = useRouter();
  const { account, user } = session;
  const mayBalance = useReason(getBalance.needs) === null;
  const mayBadges = useReason(getBadges.needs) === null;
  const balance = useEndpoint(getBalance, { params: { id: account.id } }, { enabled: mayBalance }).data?.data;
  const badges = useEndpoint(getBadges, {}, { enabled: mayBadges }).data?.data;

  const stats: Stat[] = [
    ...(mayBalance
      ? [
          {
            key: 'available',
            label: 'Available balance',
            value: balance && <Money micros={balance.available_micros} currency={balance.currency} />,
          },
          {
            key: 'held',
            label: 'Held for messages on their way',
            value: balance && <Money micros={balance.held_micros} currency={balance.currency} />,
          },
        ]
      : []),
    ...(mayBadges
      ? [
          { key: 'mine', label: 'Unread, assigned to me', value: badges && formatNumber(badges.self.unread) },
          { key: 'none', label: 'Unread, unassigned', value: badges && formatNumber(badges.none.unread) },
        ]
      : []),
  ];

  return (
    <>
      <PageHeader
        title={`Hello, ${user.first_name || user.full_name}`}
        line={`Where ${account.company_name} stands, and what to do next.`}
      />
      {stats.length > 0 && <StatChips label="At a glance" stats={stats} />}
      <ol className={styles.steps}>
        {STEPS.filter((step) => step.path in router.routesByPath).map((step) => (
          <li key={step.path} className={styles.step}>
            <span className={styles.icon}>
              <step.icon size={20} stroke={1.7} aria-hidden />
            </span>
            <h2 className={styles.title}>{step.title}</h2>
            <p className={styles.text}>{step.text}</p>
            <Disabled reason={routeReason({ needs: step.needs }, session)}>
              <Button
                component={Link}
                to={step.path}
                variant="default"
                rightSection={<IconArrowRight size={15} aria-hidden />}
              >
                {step.action}
              </Button>
            </Disabled>
          </li>
        ))}
      </ol>
    </>
  );
}
