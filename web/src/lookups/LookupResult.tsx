import type { NumberLookup } from '@parley/contract/lookups/lookups.ts';
import { countryName } from '../audiences/numbers.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';
import { LOOKUP_LABELS, lineLabel, liveLabel, portedLabel } from './words.ts';

export const LookupStatusBadge = ({ lookup }: { lookup: NumberLookup }) => (
  <StatusBadge {...LOOKUP_LABELS[lookup.status]} />
);

/** All fields of a lookup. */
export const LookupFields = ({ lookup }: { lookup: NumberLookup }) => (
  <Fields
    fields={[
      { label: 'Status', value: <LookupStatusBadge lookup={lookup} /> },
      { label: 'Live status', value: lookup.status === 'pending' ? null : liveLabel(lookup) },
      { label: 'Operator', value: lookup.operator },
      { label: 'Line type', value: lineLabel(lookup) },
      { label: 'Ported', value: lookup.status === 'pending' ? null : portedLabel(lookup) },
      { label: 'Original network', value: lookup.network },
      { label: 'MCC and MNC', value: lookup.mccmnc },
      { label: 'Country', value: countryName(lookup.country) },
      { label: 'Result from', value: lookup.result_date ? <DateTime value={lookup.result_date} /> : null },
      {
        label: 'Charged',
        value: lookup.charged ? <Money micros={lookup.price_micros} currency={lookup.currency} exact /> : 'No',
      },
    ]}
  />
);
