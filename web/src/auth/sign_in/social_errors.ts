/** The message for an error that a sign-in provider returned. */
export const socialErrorText = (error: string): string =>
  error === 'access_denied'
    ? 'The sign-in was canceled at the provider.'
    : 'The provider could not confirm your identity. Try again or use another sign-in method.';
