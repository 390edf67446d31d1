/** Deletes a sender after a confirmation that states the consequences. */

import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import { getSender } from '@parley/contract/registrations/registration.ts';
import { removeSender } from '@parley/contract/senders/orders.ts';
import type { ListedSender } from '@parley/contract/senders/senders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../kernel/http/client.ts';
import { queryKey, toastError, useAction } from '../kernel/http/query.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { OWN_NUMBER_CHANNELS, senderTypeLabel } from './labels.ts';

/** The noun for the sender in the confirmation. Channel names keep their case. */
const senderNoun = (sender: ListedSender): string =>
  sender.channel === PHONE_CHANNEL ? senderTypeLabel(sender).toLowerCase() : senderTypeLabel(sender);

export const removeVerb = (sender: ListedSender): string => (sender.rental ? 'Release' : 'Delete');

export function useRemoveSender(onDone?: () => void): (sender: ListedSender) => Promise<void> {
  const client = useQueryClient();
  const remove = useAction(removeSender, { invalidates: ['numbers'], onError: () => {} });
  return async (sender) => {
    const label = sender.code || sender.name;
    try {
      const input = { params: { id: sender.id } };
      const { data } = await client.fetchQuery({
        queryKey: queryKey(getSender, input),
        queryFn: () => call(getSender, input),
        staleTime: 0,
      });
      const numbers =
        sender.channel === PHONE_CHANNEL && sender.type !== 'alphanumeric' ? (await call(listOwnNumbers)).data : [];
      const isOnOtherChannel = numbers.some(
        ({ number, sender_id, source }) =>
          number === sender.code && sender_id !== null && (sender.rental !== null || source === 'account'),
      );
      const names = data.campaigns.map(({ name }) => name).join(', ');
      const yes = await confirm({
        title: `${removeVerb(sender)} the ${senderNoun(sender)} ${label}?`,
        consequence: [
          names && `Campaigns that use it can no longer be sent: ${names}.`,
          data.members_count > 0 && 'Its numbers will become separate senders again.',
          data.pool_name !== null && `Its contacts will be assigned another number from ${data.pool_name}.`,
          sender.two_way && 'You will no longer receive replies to it.',
          sender.rental && 'The current month is not refunded, and the number cannot be bought again for 30 days.',
          sender.status === 'pending' && 'The request under review will be canceled.',
          isOnOtherChannel && `The ${OWN_NUMBER_CHANNELS} sender for this number will also be deleted.`,
          data.messages_30_days > 0 && 'Messages already sent stay in the log.',
        ]
          .filter(Boolean)
          .join(' '),
        action: `${removeVerb(sender)} ${label}`,
      });
      if (!yes) return;
      await remove.mutateAsync(input);
      toast.success(sender.rental ? `${label} was released` : `${label} was deleted`);
      onDone?.();
    } catch (error) {
      toastError(error);
    }
  };
}
