/**
 * Decides the next step after a sign-in response. An unfinished sign-in is kept in memory and does not survive a
 * reload.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { emailVerificationPath, SECURITY, SIGN_IN } from '../../paths.ts';
import { storeFragment } from './fragment.ts';

/** A social identity, used either to sign up or to connect to an existing user once that user signs in. */
export interface Social {
  token: string;
  email: string;
  first_name: string;
  last_name: string;
  /** True if the identity will be connected after the next sign-in. */
  connect: boolean;
}

let factor: SignIn | null = null;
let social: Social | null = null;

export const readFactor = (): SignIn | null => factor;
export const clearFactor = (): void => {
  factor = null;
};
export const readSocial = (): Social | null => social;
export const storeSocial = (value: Social | null): void => {
  social = value;
};

/** Connects the identity. If re-authentication is required, stores the token for the security page and opens it. */
async function connectIdentity(token: string, onRequired: () => void): Promise<void> {
  const { connect } = await import('./connect.ts');
  if (!(await connect(token))) return;
  storeFragment(token);
  onRequired();
}

export function useOutcome(): (signIn: SignIn) => void {
  const { begin } = useSessionContext();
  const router = useRouter();
  return useCallback(
    (signIn) => {
      factor = null;
      if (signIn.access_token) {
        begin(signIn.access_token);
        const identity = social;
        social = null;
        if (identity?.connect) void connectIdentity(identity.token, () => router.history.push(SECURITY));
      } else if (signIn.next === 'email_verification')
        return router.history.replace(emailVerificationPath(signIn.verification_id, signIn.email));
      else if (signIn.next === 'login_verification') factor = signIn;
      // The route guard of the public pages redirects signed-in users.
      router.history.replace(SIGN_IN + (window.location.pathname === SIGN_IN ? window.location.search : ''));
    },
    [begin, router],
  );
}
