/** Back-tests the settings of fraud protection for codes, by the rules that stop codes when they are sent. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { TrafficBackTest } from '@parley/contract/guard/back_tests.ts';
import type { backTestCodes } from '@parley/contract/verifications/back_tests.ts';
import { backTestSigns, CODE_RULES, MIN_SENT } from '../guard/guard.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';

export function backTestStops(
  db: Queryable,
  { config, clock }: Kernel,
  actor: Actor,
  { actions, lift_hours }: Parsed<typeof backTestCodes>['body'],
): Promise<TrafficBackTest> {
  const { PHONE_CODES_RANGE_STOP, PHONE_CODES_COUNTRY_STOP, PHONE_CODES_GROWTH } = config;
  const rulesFor = (least: number) => ({ ...CODE_RULES, surge: { least, growth: PHONE_CODES_GROWTH } });
  const rules = { range: rulesFor(PHONE_CODES_RANGE_STOP), country: rulesFor(PHONE_CODES_COUNTRY_STOP) };
  return backTestSigns(db, actor, clock.now(), {
    compared: {
      ...{ sources: ['verification'], has_codes: true, min_run: CODE_RULES.min_run, spread: 0 },
      least: {
        range: Math.min(MIN_SENT.range, PHONE_CODES_RANGE_STOP),
        country: Math.min(MIN_SENT.country, PHONE_CODES_COUNTRY_STOP),
      },
    },
    lift_hours,
    rules: ({ kind }) => rules[kind],
    actOn: (_, signal) => actions[signal],
  });
}
