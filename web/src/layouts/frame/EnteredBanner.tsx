/** Somebody acts in another's name: who, why, how long still, and the way out. Stays on every page until it is over. */
import type { User } from '@parley/contract/accounts/accounts.ts';
import { IconDoorExit, IconEyeExclamation } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { instant } from '../../ui/data/format.ts';
import styles from './EnteredBanner.module.css';

type Entered = NonNullable<User['impersonation']>;

const pad = (value: number): string => String(value).padStart(2, '0');

/** "29:05"; "1:04:00" from an hour on. */
export function timeLeft(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((instant(until).getTime() - now) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

export default function EnteredBanner({ entered }: { entered: Entered }) {
  const { account, user } = useSession();
  const { leaveEntered } = useSessionContext();
  const [now, setNow] = useState(Date.now);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    document.documentElement.dataset.entered = '';
    // What leaving calls is there when it is needed: whoever leaves may close the tab at once.
    void import('@parley/contract/admin/customers.ts');
    return () => {
      clearInterval(timer);
      delete document.documentElement.dataset.entered;
    };
  }, []);
  const over = instant(entered.expire_date).getTime() <= now;
  useEffect(() => {
    if (over) void leaveEntered();
  }, [over, leaveEntered]);

  const leave = async () => {
    setLeaving(true);
    await leaveEntered();
    // An operator's tab was opened for this and has nothing left to show; a parent goes on in the same one.
    if (entered.kind === 'operator') window.close();
  };
  const role = entered.kind === 'operator' ? 'operator' : 'main account';
  return (
    <section className={styles.root} aria-label="You act in somebody else’s name">
      <IconEyeExclamation size={20} aria-hidden className={styles.icon} />
      <p className={styles.words}>
        <b>
          {entered.operator_name} ({role}) in {account.company_name}
        </b>
        <span className={styles.detail}>
          as {user.full_name || user.email}
          {entered.reason && ` · ${entered.reason}`}
        </span>
      </p>
      <span className={styles.time} role="timer" aria-label="Time left">
        {timeLeft(entered.expire_date, now)}
      </span>
      <button type="button" className={styles.leave} onClick={() => void leave()} disabled={leaving}>
        <IconDoorExit size={16} aria-hidden />
        Leave
      </button>
    </section>
  );
}
