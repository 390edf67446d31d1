/** Deleting a sender, with what stops when it is gone named before. */

import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import { getSender } from '@parley/contract/registrations/registration.ts';
import { removeSender } from '@parley/contract/senders/orders.ts';
import type { ListedSender } from '@parley/contract/senders/senders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../kernel/http/client.ts';
import { queryKey, toastError, useAction } from '../kernel/http/query.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { senderTypeLabel } from './labels.ts';

/** Names of channels keep their letters. */
const nameOfKind = (sender: ListedSender): string =>
  sender.channel === 'SMS' ? senderTypeLabel(sender).toLowerCase() : senderTypeLabel(sender);

export const removeVerb = (sender: ListedSender): string => (sender.rental ? 'Release' : 'Delete');

export function useRemoveSender(onDone?: () => void): (sender: ListedSender) => Promise<void> {
  const client = useQueryClient();
  const remove = useAction(removeSender, { invalidates: ['numbers'], onError: () => {} });
  return async (sender) => {
    const shown = sender.code || sender.name;
    try {
      const input = { params: { id: sender.id } };
      const { data } = await client.fetchQuery({
        queryKey: queryKey(getSender, input),
        queryFn: () => call(getSender, input),
        staleTime: 0,
      });
      const numbers =
        sender.channel === 'SMS' && sender.type !== 'alphanumeric' ? (await call(listOwnNumbers)).data : [];
      const isOnWhatsapp = numbers.some(
        ({ number, sender_id, source }) =>
          number === sender.code && sender_id !== null && (sender.rental !== null || source === 'account'),
      );
      const names = data.campaigns.map(({ name }) => name).join(', ');
      const yes = await confirm({
        title: `${removeVerb(sender)} the ${nameOfKind(sender)} ${shown}?`,
        consequence: [
          names && `Campaigns that use it cannot be sent any more: ${names}.`,
          data.members_count > 0 && 'The numbers behind it stand by themselves again.',
          data.pool_name !== null && `Its people get another number of ${data.pool_name}.`,
          sender.two_way && 'What people write to it no longer arrives.',
          sender.rental &&
            'The month that is paid is not given back, and nobody can have the number again for 30 days.',
          sender.status === 'pending' && 'The request that is being reviewed ends.',
          isOnWhatsapp && 'As a sender of WhatsApp it ends as well.',
          data.messages_30_days > 0 && 'Messages already sent stay in the log.',
        ]
          .filter(Boolean)
          .join(' '),
        action: `${removeVerb(sender)} ${shown}`,
      });
      if (!yes) return;
      await remove.mutateAsync(input);
      toast.success(sender.rental ? `${shown} was released` : `${shown} was deleted`);
      onDone?.();
    } catch (error) {
      toastError(error);
    }
  };
}
