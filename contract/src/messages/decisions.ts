/** The decision of the gate about an accepted message, rule by rule, with the values that it checked. */
import { z } from 'zod';

export const GATE_RULES = [
  'account',
  'sender',
  'recipient',
  'stop_list',
  'session',
  'length',
  'content',
  'route',
  'price',
  'balance',
  'order',
] as const;
export type GateRule = (typeof GATE_RULES)[number];

export const RuleCheck = z.object({
  rule: z.enum(GATE_RULES),
  /** `skipped`: the rule does not apply to this message. `held`: the message was held for review. */
  result: z.enum(['passed', 'skipped', 'held']),
  /** The values at that time. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string()), z.null()])),
});
export type RuleCheck = z.output<typeof RuleCheck>;

/** The common properties of the messages of one hold. */
export interface BatchDecision {
  readonly account_status: string;
  /** True if the account was in its trial. */
  readonly trial: boolean;
  readonly sender: { readonly name: string; readonly code: string; readonly status: string };
  /** The sender's countries; empty means every country. */
  readonly countries: readonly string[];
  /** False if the message may go to people on the stop list, such as the confirmation of an opt-out. */
  readonly stop_list: boolean;
  readonly traffic_class: string;
  readonly messages: number;
  /** Why each connection was chosen, by its name. Missing in older decisions and on channels without routes. */
  readonly routes?: Readonly<Record<string, string>>;
  /** The dates of the carrier lookups whose networks were used, by message. The others use the number range. */
  readonly network_dates?: Readonly<Record<string, string>>;
}
