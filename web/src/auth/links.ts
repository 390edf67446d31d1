/** Addresses of who-one-is, for links and for what leads from one step to the next. */
export const SIGN_IN = '/sign-in';
export const SIGN_UP = '/sign-up';
export const FORGOT = '/forgot-password';
export const EMAIL_STEP = '/email-verification';
export const VERIFICATION = '/verification';
export const CHANGE_PHONE = '/change-phone';

/** A code is on its way to this address. `recovery`: for a forgotten password. */
export function emailStep(id: string | null, username: string, recovery = false): string {
  const search = new URLSearchParams({ username, ...(recovery ? { purpose: 'password_reset' } : {}) });
  return `${EMAIL_STEP}${id ? `/${id}` : ''}?${search}`;
}
