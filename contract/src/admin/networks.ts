/** Networks and their number prefixes (the numbering plan), for operators. Prices by network depend on them. */
import { z } from 'zod';
import { country, listQuery, search } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const Network = z.object({
  /** MCC and MNC. */
  mccmnc: z.string(),
  name: z.string(),
  country: z.string(),
  prefixes: z.array(z.string()),
});
export type Network = z.output<typeof Network>;

export const listNetworks = endpoint({
  id: 'networks.list',
  method: 'GET',
  path: '/v1/networks',
  summary: 'List networks with their number prefixes',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery({ search, country: country() }),
  list: true,
  output: Network,
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID'],
});

export const NetworkUpdate = z.object({
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  /** The number of prefixes in the new plan. */
  prefixes: z.int(),
  invalid: z.int(),
  /** The first invalid lines. A plan with an invalid line is not applied. */
  problems: z.array(z.object({ line: z.int(), text: z.string() })),
  applied: z.boolean(),
});
export type NetworkUpdate = z.output<typeof NetworkUpdate>;

export const updateNetworks = endpoint({
  id: 'networks.update',
  method: 'PUT',
  path: '/v1/networks',
  summary: 'Replace the numbering plan, or preview the replacement',
  needs: 'INVOICES:edit',
  audience: 'operator',
  body: z.object({
    /**
     * CSV with the columns `mccmnc`, `name`, `country`, and `prefixes`. Null means the plan bundled with this release.
     */
    text: z.string().min(1).max(900_000).nullable().default(null),
    /** False to preview the changes. */
    apply: z.boolean(),
  }),
  timeout_ms: 60_000,
  output: NetworkUpdate,
  problems: ['OPERATOR_ONLY', 'NUMBERING_PLAN_UNREADABLE'],
});

/** The numbering plan has changed. Sent to the operators' account. */
export const networksChanged = event({
  id: 'networks.changed',
  modules: ['networks', 'prices', 'setup'],
  needs: 'INVOICES:view',
  payload: z.object({ count: z.int() }),
});
