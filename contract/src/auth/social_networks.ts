/**
 * Sign-in with an OpenID Connect provider (authorization code with PKCE). The result is a social token, valid once and
 * for one minute, which the browser sends in the header `X-Social-Token`. People are identified by (issuer, subject),
 * never by email address.
 */
import { z } from 'zod';
import { problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { SignIn } from './auth.ts';
import { reauthentication } from './reauthentication.ts';

const provider = z.string().regex(/^[a-z0-9_-]{1,40}$/, { error: problem('SIGN_IN_PROVIDER_NOT_FOUND') });

export const listProviders = endpoint({
  id: 'social_networks.providers',
  method: 'GET',
  path: '/v1/social_providers',
  summary: 'List the configured sign-in providers',
  needs: 'public',
  output: z.array(z.object({ id: z.string(), name: z.string() })),
  problems: [],
});
/**
 * A cookie stores the state, the nonce, and the verifier for ten minutes. With `connect`, the browser returns to the
 * security settings.
 */
export const startSocialSignIn = endpoint({
  id: 'social_networks.start',
  method: 'POST',
  path: '/v1/social_sign_ins',
  summary: 'Start a sign-in; returns the provider URL to open in the browser',
  needs: 'public',
  body: z.object({
    provider,
    purpose: z.enum(['sign_in', 'connect']).default('sign_in'),
    return_url: z.string().max(2_000).optional(),
  }),
  status: 201,
  output: z.object({ url: z.string() }),
  problems: ['SIGN_IN_PROVIDER_NOT_FOUND', 'SIGN_IN_PROVIDER_UNAVAILABLE'],
});
/**
 * The provider sends the browser back here. It redirects to /sign-in or /settings/security (with `?returnUrl=`, if
 * given) and `#social_token=`, or `#social_error=`: `access_denied` (the person declined), `expired`, `failed`, or
 * the provider's own error. A second cookie binds the token to this browser.
 */
export const finishSocialSignIn = endpoint({
  id: 'social_networks.finish',
  method: 'GET',
  path: '/v1/social_sign_ins/callback/{provider}',
  summary: 'Receive the callback from a sign-in provider',
  needs: 'public',
  params: z.object({ provider }),
  // Accepts additional parameters of sign-in providers.
  query: z
    .object({ state: z.string(), code: z.string(), error: z.string(), iss: z.string() })
    .partial()
    .catchall(z.unknown()),
  raw: 'text/html',
  output: z.null(),
  problems: ['SIGN_IN_PROVIDER_NOT_FOUND'],
});
/**
 * Only a completed sign-in uses up the token. If `next` is `sign_up` or `link`, the token can be used once more within
 * ten minutes: for `users.sign_up`, or for `social_networks.connect` after another sign-in.
 */
export const signInSocially = endpoint({
  id: 'social_networks.sign_in',
  method: 'POST',
  path: '/v1/users/self/token',
  summary: 'Sign in with the social token (`X-Social-Token`)',
  needs: 'public',
  body: z.object({}),
  output: SignIn.extend({ first_name: z.string(), last_name: z.string() }),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'USER_BLOCKED', 'VERIFICATION_EXPIRED', 'ACCOUNT_CLOSED'],
});

export const SocialNetwork = z.object({
  provider: z.string(),
  name: z.string(),
  connected: z.boolean(),
  email: z.string(),
  connect_date: timestamp.nullable(),
});
export type SocialNetwork = z.output<typeof SocialNetwork>;

export const listSocialNetworks = endpoint({
  id: 'social_networks.list',
  method: 'GET',
  path: '/v1/users/self/social_networks',
  summary: 'List the sign-in providers and whether the caller has connected them',
  needs: null,
  audience: 'person',
  output: z.array(SocialNetwork),
  problems: [],
});
/** If re-authentication is missing, the token stays valid for ten more minutes. */
export const connectSocialNetwork = endpoint({
  id: 'social_networks.connect',
  method: 'PUT',
  path: '/v1/users/self/social_networks',
  summary: 'Connect the identity in the social token (`X-Social-Token`) to the caller',
  needs: null,
  audience: 'person',
  body: z.object(reauthentication),
  status: 204,
  output: z.null(),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED', 'SOCIAL_LOGIN_EXISTS', 'VERIFICATION_EXPIRED'],
});
export const disconnectSocialNetwork = endpoint({
  id: 'social_networks.disconnect',
  method: 'PUT',
  path: '/v1/users/self/social_networks/{provider}',
  summary: 'Disconnect a provider; not allowed if it is the only sign-in method',
  needs: null,
  audience: 'person',
  params: z.object({ provider }),
  body: z.object(reauthentication),
  status: 204,
  output: z.null(),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED', 'SIGN_IN_PROVIDER_NOT_FOUND', 'LAST_SIGN_IN_METHOD'],
});
