import { backTestCountries, type COUNTRY_LISTS, type CountryBackTest } from '@parley/contract/guard/back_tests.ts';
import { useState } from 'react';
import { BackTestHint, BackTestSection } from '../../guard/back_test/BackTestSection.tsx';
import { useAction } from '../../kernel/http/query.ts';
import { formatCount, formatMoney, formatNumber } from '../../ui/data/format.ts';
import { countryName } from '../../ui/form/countries.ts';

interface ListProps {
  list: (typeof COUNTRY_LISTS)[number];
  countries: readonly string[];
}

/** Tests a list of countries. The result is hidden when the list changes. */
export const CountryBackTestPart = ({ list, countries }: ListProps) => (
  <TestedList key={countries.join(' ')} list={list} countries={countries} />
);

function TestedList({ list, countries }: ListProps) {
  const [result, setResult] = useState<CountryBackTest | null>(null);
  const action = useAction(backTestCountries, { onSuccess: ({ data }) => setResult(data) });
  return (
    <BackTestSection
      rule="this list"
      result={result}
      isRunning={action.isPending}
      onRun={() => action.mutate({ body: { list, countries: [...countries] } })}
    >
      {(tested) => tested.blocked > 0 && <BackTestHint>{countriesText(tested)}</BackTestHint>}
    </BackTestSection>
  );
}

const SHOWN = 5;

/** "France: 200 messages ($8.00). Germany: 12 messages ($0.48). And 3 more countries." */
export function countriesText({ countries, countries_total, currency }: CountryBackTest): string {
  const shown = countries.slice(0, SHOWN).map(({ country, blocked, blocked_micros }) => {
    const cost = blocked_micros === null ? '' : ` (${formatMoney(blocked_micros, currency)})`;
    return `${country ? countryName(country) : 'Unknown country'}: ${formatCount(blocked, 'message')}${cost}.`;
  });
  const more = countries_total - shown.length;
  if (more > 0) shown.push(`${formatNumber(more)} more ${more === 1 ? 'country' : 'countries'}.`);
  return shown.join(' ');
}
