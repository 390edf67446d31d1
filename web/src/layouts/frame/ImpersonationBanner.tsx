/** The banner that an impersonated session shows on every page: who is acting, why, the time left, and Leave. */
import type { User } from '@parley/contract/accounts/accounts.ts';
import { IconDoorExit, IconEyeExclamation } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { instant } from '../../ui/data/format.ts';
import styles from './ImpersonationBanner.module.css';

type Impersonation = NonNullable<User['impersonation']>;

const pad = (value: number): string => String(value).padStart(2, '0');

/** The time left as "29:05", or as "1:04:00" if an hour or more is left. */
export function timeLeft(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((instant(until).getTime() - now) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

export default function ImpersonationBanner({ impersonation }: { impersonation: Impersonation }) {
  const { account, user } = useSession();
  const { endImpersonation } = useSessionContext();
  const [now, setNow] = useState(Date.now);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    document.documentElement.dataset.impersonated = '';
    // Loads the contract for leaving in advance, because the tab may be closed right after the click.
    void import('@parley/contract/admin/customers.ts');
    return () => {
      clearInterval(timer);
      delete document.documentElement.dataset.impersonated;
    };
  }, []);
  const isOver = instant(impersonation.expire_date).getTime() <= now;
  useEffect(() => {
    if (isOver) void endImpersonation();
  }, [isOver, endImpersonation]);

  const leave = async () => {
    setLeaving(true);
    await endImpersonation();
    // An operator's tab was opened for the impersonation and is closed; a parent account continues in the same tab.
    if (impersonation.kind === 'operator') window.close();
  };
  const role = impersonation.kind === 'operator' ? 'operator' : 'main account';
  return (
    <section className={styles.root} aria-label="You are acting as another user">
      <IconEyeExclamation size={20} aria-hidden className={styles.icon} />
      <p className={styles.words}>
        <b>
          {impersonation.operator_name} ({role}) in {account.company_name}
        </b>
        <span className={styles.detail}>
          as {user.full_name || user.email}
          {impersonation.reason && ` · ${impersonation.reason}`}
        </span>
      </p>
      <span className={styles.time} role="timer" aria-label="Time left">
        {timeLeft(impersonation.expire_date, now)}
      </span>
      <button type="button" className={styles.leave} onClick={() => void leave()} disabled={leaving}>
        <IconDoorExit size={16} aria-hidden />
        Leave
      </button>
    </section>
  );
}
