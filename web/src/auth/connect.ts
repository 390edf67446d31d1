/** Connects a social identity to whoever is signed in now. */
import { connectSocialNetwork } from '@parley/contract/social_networks.ts';
import { call } from '../kernel/client.ts';
import { queryClient, toastError } from '../kernel/query.ts';
import { toast } from '../ui/Toasts.tsx';

export async function connect(token: string): Promise<void> {
  try {
    await call(connectSocialNetwork, { body: {} }, { headers: { 'x-social-token': token } });
    toast.success('Connected. From now on you can sign in this way, too');
  } catch (error) {
    toastError(error);
  }
  await queryClient.invalidateQueries({ queryKey: ['social_networks'] });
}
