/** What a message of this category costs, at home: prices differ by country and are shown before anything is sent. */
import { listRates } from '@parley/contract/billing/billing.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { Money } from '../ui/data/Money.tsx';
import { countryName } from '../ui/form/countries.ts';
import type { Category } from './words.ts';

export function CategoryPrice({ category }: { category: Category }) {
  const { account } = useSession();
  const country = account.country_code;
  const missing = useReason(listRates.needs);
  const answer = useEndpoint(
    listRates,
    { query: { page_size: 100, filter: { channel: 'WHATSAPP', country } } },
    { enabled: missing === null && country !== '' },
  );
  const rates = answer.data?.data.filter((rate) => rate.country === country && rate.mccmnc === null) ?? [];
  const purpose = category.toLowerCase();
  const rate = rates.find((one) => one.purpose === purpose) ?? rates.find((one) => one.purpose === null);
  if (!rate) return null;
  return (
    <>
      <Money micros={rate.price_micros} currency={rate.currency} /> a message to {countryName(country)}.
    </>
  );
}
