/** Verifies the phone number of a new user, then opens the page that they requested. */
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
        description="Your number helps protect your account. You can also send test messages to it."
        onDone={() => {}}
      />
      <p className={styles.foot}>
        Signed in as <span className={styles.email}>{user.email}</span>{' '}
        <button type="button" className={styles.plain} onClick={() => void signOut()}>
          Sign out
        </button>
      </p>
    </>
  );
}
