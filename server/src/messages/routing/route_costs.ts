/** The carriers' prices for a segment, by a connection's routes. */

export interface CostRow {
  channel: string;
  prefix: string;
  country: string;
  mccmnc?: string | null;
  connection_id: string;
  cost_micros?: number | null;
  cost_currency?: string | null;
}

export interface SegmentCost {
  micros: number;
  currency: string;
}

/** Finds the cost of a segment to a number over a connection, or null if no route of the connection has one. */
export type FindCost = (
  connection_id: string,
  channel: string,
  number: string,
  country: string,
  network: string | null,
) => SegmentCost | null;

/** As in routing, a network takes precedence over a prefix, and the longest prefix over a country. */
export function createCostFinder(rows: readonly CostRow[]): FindCost {
  const priced = rows.filter(({ cost_micros, cost_currency }) => cost_micros != null && cost_currency);
  const byConnection = Map.groupBy(priced, ({ connection_id, channel }) => `${connection_id} ${channel}`);
  return (connection_id, channel, number, country, network) => {
    const digits = number.startsWith('+') ? number.slice(1) : number;
    let best: CostRow | null = null;
    let rank = -1;
    for (const row of byConnection.get(`${connection_id} ${channel}`) ?? []) {
      const own = rankRow(row, digits, country, network);
      if (own > rank) [best, rank] = [row, own];
    }
    return best && { micros: best.cost_micros!, currency: best.cost_currency! };
  };
}

const NETWORK_RANK = 100;

/** -1: the route does not apply to the number. */
function rankRow({ mccmnc, prefix, country }: CostRow, digits: string, of: string, network: string | null): number {
  if (mccmnc && network !== null) return mccmnc === network ? NETWORK_RANK : -1;
  if (!digits.startsWith(prefix) || (country !== '' && country !== of)) return -1;
  return prefix.length * 2 + (country === '' ? 0 : 1);
}
