/** Creates and uses passkeys. A ceremony that the user cancels is not an error. */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { Reauthentication } from '@parley/contract/auth/reauthentication.ts';
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
import { isOwnDomain } from '../../ui/brand.ts';

/** Passkeys work only in secure contexts, on the address of the installation, and never on a bare IP address. */
export const hasPasskeys = (): boolean =>
  !isOwnDomain() &&
  browserSupportsWebAuthn() &&
  window.isSecureContext &&
  !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Runs a WebAuthn ceremony. Returns null if the user or the device canceled it. */
async function runCeremony<T>(ceremony: () => Promise<T>): Promise<T | null> {
  try {
    return await ceremony();
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('This device already has one of your passkeys.');
    if (error instanceof WebAuthnError || error instanceof DOMException) return null;
    throw error;
  }
}

type Json = Record<string, unknown>;

/** Signs a new challenge with a passkey, for sign-in or re-authentication. */
export async function authenticateWithPasskey(): Promise<NonNullable<Reauthentication['passkey']> | null> {
  const { data } = await call(createSignInChallenge, { body: {} });
  const optionsJSON = data.options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const credential = await runCeremony(() => startAuthentication({ optionsJSON }));
  return credential && { challenge_id: data.id, credential: credential as unknown as Json };
}

export async function signInByPasskey(): Promise<SignIn | null> {
  const body = await authenticateWithPasskey();
  return body && (await call(signInWithPasskey, { body })).data;
}

/** Creates a passkey with the challenge that re-authentication returned. Returns false if the user canceled. */
export async function addPasskey(
  name: string,
  data: ApiResponse<typeof createPasskeyChallenge>['data'],
): Promise<boolean> {
  const optionsJSON = data.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = await runCeremony(() => startRegistration({ optionsJSON }));
  if (!credential) return false;
  await call(createPasskey, { body: { challenge_id: data.id, name, credential: credential as unknown as Json } });
  return true;
}
