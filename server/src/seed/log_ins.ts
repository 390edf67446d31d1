/** Who can sign in to the demo, and how. None of it is a secret: it is printed at every start and made nowhere else. */
export const PASSWORD = 'Parley-demo-1';
export const LOG_INS = [
  { email: 'owner@demo.localhost', what: 'owner of the demo company', admin: false },
  { email: 'agent@demo.localhost', what: 'agent: answers the inbox', admin: false },
  { email: 'operator@demo.localhost', what: 'operator, in the admin view; asks for a code as well', admin: true },
] as const;

/** Operators need a second factor. The authenticator of the demo's operator is the sandbox, which is told this secret at every start. */
export const OPERATOR = LOG_INS[2].email;
export const OPERATOR_TOTP_SECRET = 'PARLEYDEMOOPERATORAUTHENTICATORS';
