import * as allowed from '@parley/contract/guard/allowed_countries.ts';
import { backTestCountries, backTestLimit, backTestTraffic } from '@parley/contract/guard/back_tests.ts';
import * as content from '@parley/contract/guard/content_rules.ts';
import * as countries from '@parley/contract/guard/country_blacklist.ts';
import * as contract from '@parley/contract/guard/limits.ts';
import * as overrides from '@parley/contract/guard/overrides.ts';
import { suggestLimit } from '@parley/contract/guard/suggestions.ts';
import * as stops from '@parley/contract/guard/traffic_stops.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { readAllowed, saveAllowed } from './allowed_countries.ts';
import { backTestList } from './back_test/countries.ts';
import { backTestLimits } from './back_test/limit.ts';
import { backTestProtection } from './back_test/traffic.ts';
import { backTestRule } from './content/back_test.ts';
import { createRule, listRules, removeRule, updateRule } from './content/rules.ts';
import { getCountryBlacklist, saveCountryBlacklist } from './country_blacklist.ts';
import { createLimit, getLimit, listLimits, listViolations, removeLimit, updateLimit } from './limits.ts';
import { getExceptions, listSubAccountLimits, overrideLimit, resetLimit, saveExceptions } from './overrides.ts';
import { readTrafficProtection, saveTraffic } from './pumping/protection.ts';
import { liftStop, listAllStops, listTrafficStops } from './pumping/stops.ts';
import { suggest } from './suggestions.ts';

export const routes: Implementation[] = [
  implement(contract.listLimits, ({ tx, actor, kernel }, { query }) =>
    listLimits(tx, actor, kernel.clock.now(), query),
  ),
  implement(contract.getLimit, ({ tx, actor, kernel }, { params }) =>
    getLimit(tx, actor, kernel.clock.now(), params.id),
  ),
  implement(contract.createLimit, (ctx, { body }) => createLimit(ctx.tx, ctx, body)),
  implement(contract.updateLimit, (ctx, { params, body }) => updateLimit(ctx.tx, ctx, params.id, body)),
  implement(contract.removeLimit, async (ctx, { params }) => {
    await removeLimit(ctx.tx, ctx, params.id);
    return null;
  }),
  implement(contract.listViolations, ({ tx, actor }, { query }) => listViolations(tx, actor, query)),
  implementOutside(backTestLimit, ({ tx, actor, kernel }, { body }) =>
    backTestLimits(tx, actor, kernel.clock.now(), body),
  ),
  implementOutside(backTestCountries, ({ tx, actor, kernel }, { body }) =>
    backTestList(tx, actor, kernel.clock.now(), body),
  ),
  implementOutside(backTestTraffic, ({ tx, actor, kernel }, { body }) =>
    backTestProtection(tx, actor, kernel.clock.now(), body),
  ),
  implement(content.listContentRules, ({ tx }) => listRules(tx)),
  implement(content.createContentRule, (ctx, { body }) => createRule(ctx, body)),
  implement(content.updateContentRule, (ctx, { params, body }) => updateRule(ctx, params.id, body)),
  implement(content.removeContentRule, async (ctx, { params }) => {
    await removeRule(ctx, params.id);
    return null;
  }),
  // Reads many messages, so it must not hold a transaction that writes.
  implementOutside(content.backTestContentRule, ({ tx, actor, kernel }, { body }) =>
    backTestRule(tx, actor, kernel.clock.now(), body),
  ),
  implement(suggestLimit, ({ tx, actor }, { body }) => suggest(tx, actor, body)),
  implement(countries.getCountryBlacklist, ({ tx, actor }) => getCountryBlacklist(tx, actor)),
  implement(countries.saveCountryBlacklist, (ctx, { params, body }) => saveCountryBlacklist(ctx, params.id, body)),
  implement(allowed.getAllowedCountries, ({ tx, actor }) => readAllowed(tx, actor)),
  implement(allowed.saveAllowedCountries, (ctx, { body }) => saveAllowed(ctx, body)),
  implement(overrides.listSubAccountLimits, ({ tx, actor, kernel }, { params }) =>
    listSubAccountLimits(tx, actor, kernel.clock.now(), params.id),
  ),
  implement(overrides.overrideLimit, (ctx, { params, body }) => overrideLimit(ctx.tx, ctx, params, body.limit)),
  implement(overrides.resetLimit, async (ctx, { params }) => {
    await resetLimit(ctx.tx, ctx, params);
    return null;
  }),
  implement(overrides.getCountryExceptions, ({ tx, actor }, { params }) => getExceptions(tx, actor, params.id)),
  implement(overrides.saveCountryExceptions, (ctx, { params, body }) => saveExceptions(ctx.tx, ctx, params.id, body)),
  implement(stops.listTrafficStops, ({ tx, actor }) => listTrafficStops(tx, actor.account_id, tx.now)),
  implement(stops.liftTrafficStop, async (ctx, { params }) => {
    await liftStop(ctx, params.id);
    return null;
  }),
  implement(stops.listAccountTrafficStops, ({ tx }) => listAllStops(tx, tx.now)),
  implement(stops.getTrafficProtection, ({ tx, actor }) => readTrafficProtection(tx, actor.account_id)),
  implement(stops.saveTrafficProtection, (ctx, { body }) => saveTraffic(ctx, body)),
];
