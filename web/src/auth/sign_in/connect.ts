/** Connects a social identity to the signed-in user. */
import { connectSocialNetwork } from '@parley/contract/auth/social_networks.ts';
import { ApiError, call } from '../../kernel/http/client.ts';
import { queryClient, toastError } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';

export const socialHeader = (token: string) => ({ 'x-social-token': token });

export const CONNECTED = 'The provider is connected. You can now sign in with it.';

/** Returns true if the user must re-authenticate first. The token stays valid for ten minutes. */
export async function connect(token: string): Promise<boolean> {
  try {
    await call(connectSocialNetwork, { body: {} }, { headers: socialHeader(token) });
    toast.success(CONNECTED);
  } catch (error) {
    if (error instanceof ApiError && error.name === 'PROOF_REQUIRED') return true;
    toastError(error);
  }
  await queryClient.invalidateQueries({ queryKey: ['social_networks'] });
  return false;
}
