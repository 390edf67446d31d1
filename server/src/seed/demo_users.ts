/**
 * The demo's users and their password. They are not secret: every start prints them, and they exist only in the demo.
 */
export const PASSWORD = 'Parley-demo-1';
export const DEMO_USERS = [
  { email: 'owner@demo.localhost', description: 'owner of the demo company' },
  { email: 'agent@demo.localhost', description: 'agent who answers the inbox' },
  { email: 'operator@demo.localhost', description: 'operator in the admin view, also needs a code' },
] as const;

/**
 * The demo's operator. Operators need 2FA, so the sandbox gets the secret for this operator's authenticator at every
 * start.
 */
export const OPERATOR = DEMO_USERS[2].email;
export const OPERATOR_TOTP_SECRET = 'PARLEYDEMOOPERATORAUTHENTICATORS';
