/** Sign-in: opaque bearer tokens. Sign-up, second factors and social sign-in build on the same session. */
import { z } from 'zod';
import { timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

export const Token = z.object({ access_token: z.string(), expire_date: timestamp });

/** `Authorization: Basic base64(email:password)`. The answer never says which of the two was wrong. */
export const signIn = endpoint({
  id: 'auth.sign_in',
  method: 'GET',
  path: '/v1/users/self/token',
  summary: 'Sign in with e-mail and password (Basic credentials)',
  needs: 'public',
  output: Token,
  problems: [1120, 1121, 1135],
});

export const signOut = endpoint({
  id: 'auth.sign_out',
  method: 'DELETE',
  path: '/v1/users/self/token',
  summary: 'Sign out: the token ends at once',
  needs: null,
  audience: 'session',
  status: 204,
  output: z.null(),
  problems: [],
});
