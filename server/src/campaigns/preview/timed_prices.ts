/** The prices of messages that will be accepted later, when an announced price change may be in force. */
import type { PriceBook } from '../../billing/billing.ts';

/** `times` has the time of each number, in milliseconds; `start` is the time of all others. */
export function pricesAtTimes(prices: PriceBook, times: ReadonlyMap<string, number>, start: Date): PriceBook {
  const initial = prices.at(start);
  return {
    ...initial,
    price: (account_id, channel, number, ...rest) => {
      const time = times.get(number);
      const book = time === undefined || time === start.getTime() ? initial : prices.at(new Date(time));
      return book.price(account_id, channel, number, ...rest);
    },
  };
}
