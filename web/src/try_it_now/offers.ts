/** From what a test may be sent on each of the channels, for the other ways of one. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import type { Offer } from '../channels/fallbacks/ways.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { senderLabel } from '../senders/SenderSelect.tsx';

export const offerLabel = ({ name, code, lent }: { name: string; code: string; lent: boolean }): string =>
  lent ? `${senderLabel({ name: code, code })} (lent for trying)` : senderLabel({ name, code });

function useOffer(channel: ChannelName): Offer {
  const answer = useEndpoint(getTryItNow, { params: { channel } }, { staleTime: 30_000 });
  const state = answer.data?.data;
  const senders = state?.senders ?? [];
  return {
    senders: senders.map((sender) => ({ value: sender.id, label: offerLabel(sender), code: sender.code })),
    borrowed: senders.filter(({ lent }) => lent).map(({ id }) => id),
    reason: state ? `There is no ${channelRules(channel).label} sender yet.` : (answer.error?.message ?? null),
    loading: answer.isPending,
  };
}

export const useOffers = (): Readonly<Record<ChannelName, Offer>> => ({
  WHATSAPP: useOffer('WHATSAPP'),
  VIBER: useOffer('VIBER'),
  SMS: useOffer('SMS'),
});
