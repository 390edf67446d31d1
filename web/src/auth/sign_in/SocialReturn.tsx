/** Back from a sign-in provider: its token is exchanged once, and what follows is decided by who it turns out to be. */
import { signInSocially } from '@parley/contract/auth/social_networks.ts';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../../kernel/http/client.ts';
import { SIGN_UP } from '../../paths.ts';
import styles from '../Auth.module.css';
import { clearFragment, readFragment } from './fragment.ts';
import { storeSocial, useOutcome } from './outcome.ts';
import { signInErrorText } from './sign_in_errors.ts';
import { socialErrorText } from './social_errors.ts';

export interface SocialReturnProps {
  onNext: () => void;
  onBack: (problem: string | null) => void;
}

/** A default export because it is loaded lazily. */
export default function SocialReturn({ onNext, onBack }: SocialReturnProps) {
  const outcome = useOutcome();
  const router = useRouter();
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const found = readFragment();
    clearFragment();
    if (!found?.token) return onBack(socialErrorText(found?.error ?? ''));
    const token = found.token;
    call(signInSocially, { body: {} }, { headers: { 'x-social-token': token } }).then(
      ({ data }) => {
        const { email, first_name, last_name } = data;
        if (data.next === 'link') storeSocial({ token, email, first_name, last_name, connect: true });
        else if (data.next === 'sign_up') {
          storeSocial({ token, email, first_name, last_name, connect: false });
          return void router.navigate({ to: SIGN_UP, replace: true });
        } else outcome(data);
        onNext();
      },
      (error: unknown) => onBack(signInErrorText(error)),
    );
  }, [onBack, onNext, outcome, router]);
  return <output className={styles.waiting}>Signing you in…</output>;
}
