/** The message for an error that a sign-in provider returned. */
export const socialErrorText = (error: string): string =>
  error === 'access_denied'
    ? 'Sign-in with the provider was canceled.'
    : 'The provider could not confirm your identity. Try again or use another sign-in method.';
