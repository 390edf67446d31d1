/** The prices of the fallback steps of a campaign. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { PriceBook } from '../../billing/billing.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { judge, type KnownNetworks, type Passed, resolveCarrier } from '../../messages/messages.ts';
import type { ReadyStep } from '../draft/fallbacks.ts';
import type { Ready } from '../draft/ready.ts';
import type { Contact } from '../model/reach.ts';

type StepPrices = (contacts: readonly Contact[], people: readonly Passed[]) => ReadonlyMap<number, number>;

/** Returns a function that finds the price of a fallback step for each person who can get it. */
export async function loadStepPrices(
  db: Queryable,
  kernel: Kernel,
  { account_id, currency }: Pick<Ready, 'account_id' | 'currency'>,
  { channel, sender, writer }: ReadyStep,
  { prices, networks, link_prefix }: { prices: PriceBook; networks: KnownNetworks; link_prefix: string },
): Promise<StepPrices> {
  const { route, profile } = await resolveCarrier(db, kernel, sender, networks);
  const rules = {
    ...{ channel, sender, route, profile, stopped: new Set<string>() },
    price: (number: string, country: string) =>
      prices.price(account_id, channel, number, country, currency, writer.purpose),
    counts: channelRules(channel).counts,
    carries_file: writer.message.content?.media_type != null,
  };
  return (contacts, people) => {
    const { passed } = judge(
      people.map(({ index, number, country }) => ({
        index,
        number,
        country,
        ...writer.write(contacts[index]!, link_prefix),
      })),
      rules,
    );
    return new Map(passed.map(({ index, price_micros }) => [index, price_micros]));
  };
}

/** The hold of a message covers its most expensive step. */
export function withHighestPrice(person: Passed, steps: readonly ReadonlyMap<number, number>[]): Passed {
  const price_micros = Math.max(person.price_micros, ...steps.map((step) => step.get(person.index) ?? 0));
  return price_micros === person.price_micros ? person : { ...person, price_micros };
}
