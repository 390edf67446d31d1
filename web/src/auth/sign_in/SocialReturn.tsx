/** Handles the return from a sign-in provider. Its token is exchanged once; the response determines the next step. */
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

interface SocialReturnProps {
  onNext: () => void;
  onBack: (problem: string | null) => void;
}

/** The default export is for lazy loading. */
export default function SocialReturn({ onNext, onBack }: SocialReturnProps) {
  const outcome = useOutcome();
  const router = useRouter();
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const fragment = readFragment();
    clearFragment();
    if (!fragment?.token) return onBack(socialErrorText(fragment?.error ?? ''));
    const token = fragment.token;
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
