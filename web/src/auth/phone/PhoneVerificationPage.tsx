/** After sign-up: a number of one's own. Leads on by itself: once there is nothing pending, the guard lets everything through. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { landingPath } from '../../kernel/http/token.ts';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import styles from '../Auth.module.css';
import { PhoneSteps } from './PhoneSteps.tsx';

export default function PhoneVerificationPage() {
  const { user } = useSession();
  const { signOut } = useSessionContext();
  const router = useRouter();
  const pending = user.pending === 'phone';
  useEffect(() => {
    if (!pending) router.history.replace(landingPath() ?? '/');
  }, [pending, router]);
  return (
    <>
      <PhoneSteps
        title="Verify your phone number"
        line="It keeps your account yours, and your test messages go to it while you try things out."
        onDone={() => {}}
      />
      <p className={styles.foot}>
        Signed in as <span className={styles.known}>{user.email}</span>{' '}
        <button type="button" className={styles.plain} onClick={() => void signOut()}>
          Sign out
        </button>
      </p>
    </>
  );
}
