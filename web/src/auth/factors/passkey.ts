/** Passkeys in this browser. The ceremony is the browser's own; what a person cancels is no error. */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { Reauthentication as Proof } from '@parley/contract/auth/reauthentication.ts';
import {
  createPasskey,
  type createPasskeyChallenge,
  createSignInChallenge,
  signInWithPasskey,
} from '@parley/contract/auth/second_factors.ts';
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { type ApiResponse, call } from '../../kernel/http/client.ts';

/** Only in secure contexts, and never under a bare IP address. */
export const hasPasskeys = (): boolean =>
  browserSupportsWebAuthn() && window.isSecureContext && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Null: the person or the device said no. */
async function asked<T>(ceremony: () => Promise<T>): Promise<T | null> {
  try {
    return await ceremony();
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('This device has a passkey for you already.');
    if (error instanceof WebAuthnError || error instanceof DOMException) return null;
    throw error;
  }
}

type Json = Record<string, unknown>;

/** What the device says to a fresh challenge: for signing in, or as a proof. */
export async function answerByPasskey(): Promise<NonNullable<Proof['passkey']> | null> {
  const { data } = await call(createSignInChallenge, { body: {} });
  const optionsJSON = data.options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const credential = await asked(() => startAuthentication({ optionsJSON }));
  return credential && { challenge_id: data.id, credential: credential as unknown as Json };
}

export async function signInByPasskey(): Promise<SignIn | null> {
  const body = await answerByPasskey();
  return body && (await call(signInWithPasskey, { body })).data;
}

/** With the challenge that the proof has opened. False when it was canceled. */
export async function addPasskey(
  name: string,
  data: ApiResponse<typeof createPasskeyChallenge>['data'],
): Promise<boolean> {
  const optionsJSON = data.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = await asked(() => startRegistration({ optionsJSON }));
  if (!credential) return false;
  await call(createPasskey, { body: { challenge_id: data.id, name, credential: credential as unknown as Json } });
  return true;
}
