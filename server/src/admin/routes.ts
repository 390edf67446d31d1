import * as route from '@parley/contract/admin/admin.ts';
import * as statement from '@parley/contract/admin/carrier_statements.ts';
import * as customer from '@parley/contract/admin/customers.ts';
import * as margin from '@parley/contract/admin/margins.ts';
import * as network from '@parley/contract/admin/networks.ts';
import * as plan from '@parley/contract/admin/price_plans.ts';
import * as price from '@parley/contract/admin/prices.ts';
import { listUnmatchedReceipts } from '@parley/contract/admin/receipts.ts';
import * as request from '@parley/contract/admin/requests.ts';
import * as hold from '@parley/contract/admin/sending_hold.ts';
import * as setting from '@parley/contract/admin/setup.ts';
import * as volume from '@parley/contract/admin/volume_prices.ts';
import * as connectionTest from '@parley/contract/connections/connection_tests.ts';
import * as connection from '@parley/contract/connections/connections.ts';
import * as review from '@parley/contract/guard/message_reviews.ts';
import * as stops from '@parley/contract/guard/traffic_stops.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { unnamedProxy } from '../kernel/http/proxy.ts';
import * as statements from './carrier_statements/carrier_statements.ts';
import * as logged from './connections/carrier_log.ts';
import * as carrierRoutes from './connections/carrier_routes.ts';
import { createTest, getTest, previewTest } from './connections/connection_tests.ts';
import * as connections from './connections/connections.ts';
import * as customers from './customers/customers.ts';
import { createKey, endImpersonation, openKey } from './customers/impersonation.ts';
import { liftCustomerStop, listCustomerStops } from './customers/stops.ts';
import { getHealth, runDoctor } from './health/health.ts';
import { listUnmatched } from './health/receipts.ts';
import { exportMargins, listMargins } from './margins/margins.ts';
import { listNetworks, updateNetworks } from './networks/networks.ts';
import * as plans from './price_plans/plans.ts';
import { applyImport, previewImport } from './prices/price_imports.ts';
import * as prices from './prices/prices.ts';
import { setPresence } from './requests/presence.ts';
import { decideRequest, getRequest, listRequests } from './requests/requests.ts';
import { decideReviews, getReview, listReviews } from './reviews/reviews.ts';
import { decideSendingHold, getSendingHold } from './sending/sending_hold.ts';
import { chooseCodeSender, getCodeSender } from './setup/code_sender.ts';
import { listCurrencies, updateCurrency } from './setup/currencies.ts';
import { getSetup } from './setup/setup.ts';
import * as volumes from './volume_prices/volume_prices.ts';

export const routes: Implementation[] = [
  implement(volume.listVolumePrices, ({ tx }, { query }) => volumes.listVolumePrices(tx, query)),
  implement(volume.previewVolumePrice, ({ tx }, { body }) => volumes.previewVolumePrice(tx, body)),
  implement(volume.saveVolumePrice, (ctx, { body }) => volumes.saveVolumePrice(ctx, body)),
  implement(volume.removeVolumePrice, (ctx, { params }) => volumes.removeVolumePrice(ctx, params.id)),
  implement(hold.getSendingHold, ({ tx }) => getSendingHold(tx)),
  implement(hold.decideSendingHold, (ctx, { body }) => decideSendingHold(ctx, body)),
  implement(connection.listConnections, ({ tx, kernel }, { query }) => connections.listConnections(kernel, tx, query)),
  implement(connection.getConnection, ({ tx, kernel }, { params }) => connections.getConnection(kernel, tx, params.id)),
  implement(connection.createConnection, async (ctx, { body }) =>
    logged.connection(ctx, 'connection.created', await connections.createConnection(ctx.tx, ctx.kernel, body)),
  ),
  implement(connection.updateConnection, async (ctx, { params, body }) =>
    logged.connection(
      ctx,
      'connection.updated',
      await connections.updateConnection(ctx.tx, ctx.kernel, params.id, body),
    ),
  ),
  implement(connectionTest.createConnectionTest, (ctx, { params, body }) => createTest(ctx, params.id, body)),
  implement(connectionTest.getConnectionTest, ({ tx }, { params }) => getTest(tx, params.id, params.test_id)),
  implement(connectionTest.previewConnectionTest, ({ tx, kernel }, { params, body }) =>
    previewTest(kernel, tx, params.id, body),
  ),
  implement(listUnmatchedReceipts, ({ tx }, { query }) => listUnmatched(tx, query)),
  implement(route.listRoutes, ({ tx }, { query }) => carrierRoutes.listRoutes(tx, query)),
  implement(route.createRoute, async (ctx, { body }) =>
    logged.route(ctx, 'route.created', await carrierRoutes.createRoute(ctx.tx, body)),
  ),
  implement(route.updateRoute, async (ctx, { params, body }) =>
    logged.route(ctx, 'route.updated', await carrierRoutes.updateRoute(ctx.tx, params.id, body)),
  ),
  implement(route.removeRoute, async (ctx, { params }) => {
    logged.route(ctx, 'route.removed', await carrierRoutes.removeRoute(ctx.tx, params.id));
    return null;
  }),
  implement(review.listMessageReviews, ({ tx }, { query }) => listReviews(tx, query)),
  implement(review.getMessageReview, ({ tx }, { params }) => getReview(tx, params.id)),
  implement(review.decideMessageReviews, (ctx, { body }) => decideReviews(ctx, body)),
  implement(customer.listCustomers, ({ tx }, { query }) => customers.listCustomers(tx, query)),
  implement(customer.getCustomer, ({ tx }, { params }) => customers.getCustomer(tx, params.id)),
  implement(customer.updateCustomer, (ctx, { params, body }) => customers.updateCustomer(ctx, params.id, body)),
  implement(customer.blockCustomer, (ctx, { params, body }) => customers.blockCustomer(ctx, params.id, body)),
  implement(customer.reopenCustomer, (ctx, { params }) => customers.reopenCustomer(ctx, params.id)),
  implement(customer.listCustomerUsers, ({ tx }, { params, query }) =>
    customers.listCustomerUsers(tx, params.id, query),
  ),
  implement(customer.blockCustomerUser, (ctx, { params, body }) => customers.blockCustomerUser(ctx, params, body)),
  implement(customer.listCustomerAudit, ({ tx }, { params, query }) =>
    customers.listCustomerAudit(tx, params.id, query),
  ),
  implement(customer.listCustomerSenders, ({ tx }, { params, query }) =>
    customers.listCustomerSenders(tx, params.id, query),
  ),
  implement(customer.createCustomerSender, (ctx, { params, body }) =>
    customers.createCustomerSender(ctx, params.id, body),
  ),
  implement(request.listRequests, ({ tx, actor }, { query }) => listRequests(tx, actor, query)),
  implement(request.getRequest, ({ kernel, actor }, { params }) => getRequest(kernel, actor, params.id)),
  // Runs outside a transaction, because the carrier may be called before a row is written.
  implementOutside(request.decideRequest, (ctx, { params, body }) => decideRequest(ctx, params.id, body)),
  implement(request.putRequestPresence, (ctx, { params, body }) => setPresence(ctx, params.id, body.looking)),
  implement(stops.listCustomerTrafficStops, ({ tx }, { params }) => listCustomerStops(tx, params.id, tx.now)),
  implement(stops.liftCustomerTrafficStop, async (ctx, { params }) => {
    await liftCustomerStop(ctx, params);
    return null;
  }),
  implement(customer.createAuthSession, (ctx, { body }) => createKey(ctx, body)),
  // This GET writes, because the browser opens it as a plain link.
  implementOutside(customer.openAuthSession, ({ kernel, address, request_id, headers }, { params }) =>
    openKey(kernel.db, { address, request_id, headers }, params.id),
  ),
  implement(customer.endImpersonation, (ctx) => endImpersonation(ctx)),
  implement(price.listPrices, ({ tx }, { query }) => prices.listPrices(tx, query)),
  implement(price.exportPrices, (ctx, { query }) => prices.exportPrices(ctx, query.filter ?? {})),
  implement(price.createPrice, (ctx, { body }) => prices.createPrice(ctx, body)),
  implement(price.updatePrice, (ctx, { params, body }) => prices.updatePrice(ctx, params.id, body.price_micros)),
  implement(price.removePrice, (ctx, { params }) => prices.removePrice(ctx, params.id)),
  implement(price.listPriceChanges, ({ tx }, { query }) => prices.listPriceChanges(tx, query)),
  implement(price.createPriceImport, (ctx, { body }) => previewImport(ctx, body)),
  implement(price.applyPriceImport, (ctx, { params }) => applyImport(ctx, params.id)),
  implement(statement.listCarrierStatements, ({ tx }, { query }) => statements.listStatements(tx, query)),
  implement(statement.createCarrierStatement, (ctx, { body }) => statements.createStatement(ctx, body)),
  implement(statement.compareCarrierStatement, (ctx, { params }) => statements.compareStatement(ctx, params.id)),
  implement(statement.deleteCarrierStatement, (ctx, { params }) => statements.deleteStatement(ctx, params.id)),
  implement(statement.listCarrierLines, ({ tx }, { query }) => statements.listLines(tx, query)),
  implement(statement.resolveCarrierLine, (ctx, { params, body }) =>
    statements.resolveLine(ctx, params.id, body.reason),
  ),
  implement(margin.listMargins, ({ tx }, { query }) => listMargins(tx, query)),
  implement(margin.exportMargins, (ctx, { query }) => exportMargins(ctx, query)),
  implement(plan.listPricePlans, ({ tx }, { query }) => plans.listPlans(tx, query)),
  implement(plan.getPricePlan, ({ tx }, { params }) => plans.getPlan(tx, params.id)),
  implement(plan.createPricePlan, (ctx, { body }) => plans.createPlan(ctx, body)),
  implement(plan.updatePricePlan, (ctx, { params, body }) => plans.updatePlan(ctx, params.id, body)),
  implement(plan.announcePricePlan, (ctx, { params }) => plans.announcePlan(ctx, params.id)),
  implement(plan.cancelPricePlan, (ctx, { params }) => plans.cancelPlan(ctx, params.id)),
  implement(plan.listPlanAccounts, ({ tx }, { params, query }) => plans.listAccounts(tx, params.id, query)),
  implement(network.listNetworks, ({ tx }, { query }) => listNetworks(tx, query)),
  implement(network.updateNetworks, (ctx, { body }) => updateNetworks(ctx.tx, ctx, body)),
  implement(setting.listCurrencies, ({ tx }) => listCurrencies(tx)),
  implement(setting.updateCurrency, (ctx, { params, body }) => updateCurrency(ctx, params.code, body)),
  implement(setting.getCodeSender, ({ tx }) => getCodeSender(tx)),
  implement(setting.updateCodeSender, (ctx, { body }) => chooseCodeSender(ctx, body.sender_id)),
  implement(setting.getSetup, ({ kernel, tx }) => getSetup(kernel, tx)),
  implement(customer.getHealth, ({ kernel, reply }) => getHealth(kernel, unnamedProxy(reply.request))),
  // The checks take too long to run inside a write transaction.
  implementOutside(customer.runDoctor, (ctx) => runDoctor(ctx)),
];
