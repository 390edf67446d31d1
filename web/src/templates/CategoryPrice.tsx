/** The price of a message in this category in the account's country. */
import { listRates } from '@parley/contract/billing/rates.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { Money } from '../ui/data/Money.tsx';
import { countryName } from '../ui/form/countries.ts';
import type { Category } from './words.ts';

export function CategoryPrice({ channel, category }: { channel: ChannelName; category: Category }) {
  const { account } = useSession();
  const country = account.country_code;
  const reason = useReason(listRates.needs);
  const query = useEndpoint(
    listRates,
    { query: { page_size: 100, filter: { channel, country } } },
    { enabled: reason === null && country !== '' },
  );
  const rates = query.data?.data.filter((rate) => rate.country === country && rate.mccmnc === null) ?? [];
  const purpose = category.toLowerCase();
  const rate = rates.find((one) => one.purpose === purpose) ?? rates.find((one) => one.purpose === null);
  if (!rate) return null;
  return (
    <>
      <Money micros={rate.price_micros} currency={rate.currency} /> per message to {countryName(country)}.
    </>
  );
}
