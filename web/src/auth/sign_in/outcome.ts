/**
 * What an answer to any way of signing in leads to. Kept in the memory of this page only: half a sign-in is nothing to find again after a reload.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { emailVerificationPath, SECURITY, SIGN_IN } from '../../paths.ts';
import { storeFragment } from './fragment.ts';

/** A social identity that somebody may sign up with, or connect to a user who proves themselves first. */
export interface Social {
  token: string;
  email: string;
  first_name: string;
  last_name: string;
  /** Connected as soon as somebody is in. */
  connect: boolean;
}

let factor: SignIn | null = null;
let social: Social | null = null;

export const readFactor = (): SignIn | null => factor;
export const clearFactor = (): void => {
  factor = null;
};
export const readSocial = (): Social | null => social;
export const storeSocial = (found: Social | null): void => {
  social = found;
};

/** Whoever came in by yet another provider proves themselves first, where the token is looked for. */
async function connectThen(token: string, prove: () => void): Promise<void> {
  const { connect } = await import('./connect.ts');
  if (!(await connect(token))) return;
  storeFragment(token);
  prove();
}

export function useOutcome(): (answer: SignIn) => void {
  const { begin } = useSessionContext();
  const router = useRouter();
  return useCallback(
    (answer) => {
      factor = null;
      if (answer.access_token) {
        begin(answer.access_token);
        const found = social;
        social = null;
        if (found?.connect) void connectThen(found.token, () => router.history.push(SECURITY));
      } else if (answer.next === 'email_verification')
        return router.history.replace(emailVerificationPath(answer.verification_id, answer.email));
      else if (answer.next === 'login_verification') factor = answer;
      // Whoever is in is led on from there: the guard of the public pages knows where to.
      router.history.replace(SIGN_IN + (window.location.pathname === SIGN_IN ? window.location.search : ''));
    },
    [begin, router],
  );
}
