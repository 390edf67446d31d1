import type { ListPrice } from '@parley/contract/admin/prices.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { channelLabel } from '../../channels/index.ts';
import { countryName } from '../../ui/form/countries.ts';

type Destination = Pick<ListPrice, 'channel' | 'country' | 'mccmnc' | 'purpose'> & { network?: string | null };

export const priceNetwork = ({ network, mccmnc }: Pick<Destination, 'network' | 'mccmnc'>): string =>
  mccmnc === null ? 'All networks' : network ? `${network} (${mccmnc})` : mccmnc;

/** "SMS, Germany, Vodafone (26202)" */
export const priceName = (price: Destination): string =>
  [
    channelLabel(price.channel as ChannelName),
    countryName(price.country),
    ...(price.mccmnc === null ? [] : [priceNetwork(price)]),
    ...(price.purpose === null ? [] : [price.purpose]),
  ].join(', ');

/** The operator who changed a price. */
export const userName = (name: string | null): string => name || 'Changed in SQL';
