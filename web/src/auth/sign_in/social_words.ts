/** What a provider's refusal means to whoever comes back from it. */
export const socialErrorWords = (error: string): string =>
  error === 'access_denied'
    ? 'The sign-in was canceled at the provider.'
    : 'The provider could not confirm who you are. Try again, or use another sign-in method.';
