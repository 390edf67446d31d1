import * as proposal from '@parley/contract/admin/balance_proposals.ts';
import * as dunning from '@parley/contract/admin/dunning.ts';
import * as entities from '@parley/contract/admin/invoice_entities.ts';
import * as admin from '@parley/contract/admin/payments.ts';
import * as reconciliation from '@parley/contract/admin/reconciliation.ts';
import { createTopUp } from '@parley/contract/admin/top_ups.ts';
import { listAnnouncedRates } from '@parley/contract/billing/announced_rates.ts';
import * as billing from '@parley/contract/billing/billing.ts';
import * as invoices from '@parley/contract/billing/invoices.ts';
import * as low_balance from '@parley/contract/billing/low_balance.ts';
import { getOverdue } from '@parley/contract/billing/overdue.ts';
import * as methods from '@parley/contract/billing/payment_methods.ts';
import * as payments from '@parley/contract/billing/payments.ts';
import * as rate_changes from '@parley/contract/billing/rate_changes.ts';
import * as rates from '@parley/contract/billing/rates.ts';
import * as refills from '@parley/contract/billing/refills.ts';
import * as statements from '@parley/contract/billing/statements.ts';
import * as transfers from '@parley/contract/billing/transfers.ts';
import * as vat_checks from '@parley/contract/billing/vat_checks.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { listOverdue, updateOverdue, updateSettings } from './dunning/operators.ts';
import { readOverdue, readSettings } from './dunning/queries.ts';
import { listInvoiceEntities, updateInvoiceEntity } from './invoices/entities.ts';
import { exportInvoice, getInvoice, getInvoiceLink, listInvoices } from './invoices/invoices.ts';
import { getBalance, listLedger } from './ledger/entries.ts';
import { createTransfer } from './ledger/transfers.ts';
import { getCreditAlert, saveCreditAlert } from './low_balance/alerts.ts';
import { getAutoTopUp, updateAutoTopUp } from './low_balance/auto_top_up.ts';
import { getRefill, updateRefill } from './low_balance/refills.ts';
import { correctBalance } from './payments/corrections.ts';
import { createPaymentIntent } from './payments/intents.ts';
import { listCards } from './payments/method_queries.ts';
import { createPaymentMethod, getSetupIntent, makeDefault, removePaymentMethod } from './payments/methods.ts';
import { getPayment, listPayments } from './payments/payments.ts';
import * as reviews from './payments/reviews.ts';
import { getPaymentSettings, updatePaymentSettings } from './payments/settings.ts';
import { reportPayment } from './payments/sync.ts';
import { topUp } from './payments/top_ups.ts';
import { listAnnounced } from './prices/queries.ts';
import { exportRates } from './prices/rate_file.ts';
import { listRateChanges, listRates } from './prices/rates.ts';
import { createProposal, decideProposal, listProposals } from './proposals/proposals.ts';
import {
  listDifferences,
  listReconciliations,
  resolveDifference,
  startReconciliation,
} from './reconciliation/reconciliation.ts';
import { exportStatement } from './statements/files.ts';
import { getStatement, listStatements } from './statements/statements.ts';
import { getVatCheck } from './vat/checks.ts';

export const routes: Implementation[] = [
  implement(billing.getOwnBalance, ({ tx, actor }) => getBalance(tx, actor, actor.account_id)),
  implement(billing.getBalance, ({ tx, actor }, { params }) => getBalance(tx, actor, params.id)),
  implement(billing.listLedger, ({ tx, actor }, { query }) => listLedger(tx, actor, query)),
  implement(rates.listRates, ({ tx, actor }, { query }) => listRates(tx, actor, query)),
  implement(rate_changes.listRateChanges, ({ tx, actor }, { query }) => listRateChanges(tx, actor, query)),
  implement(listAnnouncedRates, ({ tx, actor }) => listAnnounced(tx, actor.account_id, tx.now)),
  implement(rates.exportRates, (ctx, { query }) => exportRates(ctx, query)),
  implementOutside(payments.createPaymentIntent, (ctx, { body }) => createPaymentIntent(ctx, body)),
  implementOutside(payments.createPayment, ({ kernel, actor }, { body }) =>
    reportPayment(kernel, actor, body.payment_intent),
  ),
  implement(payments.listPayments, ({ tx, actor }, { query }) => listPayments(tx, actor, query)),
  implement(payments.getPayment, ({ tx, actor }, { params }) => getPayment(tx, actor, params.id)),
  implement(payments.getPaymentSettings, ({ tx, actor, kernel }) => getPaymentSettings(tx, kernel, actor.account_id)),
  implement(payments.updatePaymentSettings, ({ tx, actor, kernel }, { body }) =>
    updatePaymentSettings(tx, kernel, actor.account_id, body),
  ),
  implement(methods.getSetupIntent, getSetupIntent),
  implement(methods.listPaymentMethods, ({ tx, actor }) => listCards(tx, actor.account_id)),
  implementOutside(methods.createPaymentMethod, (ctx, { body }) => createPaymentMethod(ctx, body.setup_intent)),
  implement(methods.updatePaymentMethod, (ctx, { params }) => makeDefault(ctx.tx, ctx, params.id)),
  implementOutside(methods.removePaymentMethod, (ctx, { params }) => removePaymentMethod(ctx, params.id)),
  implement(low_balance.getAutoTopUp, ({ tx, actor }, { params }) => getAutoTopUp(tx, actor.account_id, params.id)),
  implement(low_balance.updateAutoTopUp, (ctx, { params, body }) => updateAutoTopUp(ctx, params.id, body)),
  implement(low_balance.getCreditAlert, ({ tx, actor }, { params }) => getCreditAlert(tx, actor, params.id)),
  implement(low_balance.saveCreditAlert, (ctx, { params, body }) => saveCreditAlert(ctx, params.id, body)),
  implement(transfers.createTransfer, (ctx, { params, body }) => createTransfer(ctx, params.id, body)),
  implement(refills.getRefill, ({ tx, actor, kernel }, { params }) =>
    getRefill(tx, kernel.db.clock.now(), actor.account_id, params.id),
  ),
  implement(refills.updateRefill, (ctx, { params, body }) => updateRefill(ctx, params.id, body)),
  implement(invoices.listInvoices, ({ tx, actor }, { query }) => listInvoices(tx, actor, query)),
  implement(invoices.getInvoice, ({ tx, actor }, { params }) => getInvoice(tx, actor.account_id, params.id)),
  implement(invoices.exportInvoice, (ctx, { params }) => exportInvoice(ctx, params.id)),
  implement(invoices.getInvoiceLink, (ctx, { params, query }) => getInvoiceLink(ctx, params.id, query)),
  implement(vat_checks.getVatCheck, ({ tx, actor }, { params }) => getVatCheck(tx, actor, params.id)),
  implement(statements.listStatements, ({ tx, actor, kernel }, { query }) =>
    listStatements(tx, kernel.db.clock.now(), actor, query),
  ),
  implement(statements.getStatement, ({ tx, actor, kernel }, { params, query }) =>
    getStatement(tx, kernel.db.clock.now(), actor.account_id, {
      account_id: query.filter?.account_id ?? actor.account_id,
      ...params,
    }),
  ),
  implement(statements.exportStatement, (ctx, { params, query }) => exportStatement(ctx, params, query)),
  implement(entities.listInvoiceEntities, ({ tx }) => listInvoiceEntities(tx)),
  implement(entities.updateInvoiceEntity, (ctx, { params, body }) => updateInvoiceEntity(ctx, params.entity, body)),
  implement(admin.listCustomerPayments, ({ tx }, { query }) => reviews.listCustomerPayments(tx, query)),
  implement(admin.releasePayment, (ctx, { params }) => reviews.releasePayment(ctx, params)),
  implement(admin.confirmTransfer, (ctx, { params }) => reviews.confirmTransfer(ctx, params)),
  implementOutside(admin.refundPayment, (ctx, { params, body }) => reviews.refundPayment(ctx, params, body)),
  implement(admin.correctBalance, (ctx, { params, body }) => correctBalance(ctx, params.id, body)),
  implement(reconciliation.listDifferences, ({ tx }, { query }) => listDifferences(tx, query)),
  implement(reconciliation.resolveDifference, (ctx, { params, body }) =>
    resolveDifference(ctx, params.id, body.reason),
  ),
  implement(reconciliation.listReconciliations, ({ tx }, { query }) => listReconciliations(tx, query)),
  implement(reconciliation.startReconciliation, startReconciliation),
  implement(getOverdue, ({ tx, actor }) => readOverdue(tx, actor.account_id)),
  implement(dunning.getDunningSettings, ({ tx }) => readSettings(tx)),
  implement(dunning.updateDunningSettings, (ctx, { body }) => updateSettings(ctx, body)),
  implement(dunning.listOverdueAccounts, ({ tx }, { query }) => listOverdue(tx, query)),
  implement(dunning.updateOverdueAccount, (ctx, { params, body }) => updateOverdue(ctx, params.id, body)),
  implement(createTopUp, (ctx, { params, body }) => topUp(ctx, params.id, body)),
  implement(proposal.listProposals, ({ tx, actor }, { query }) => listProposals(tx, actor, query)),
  implement(proposal.createProposal, (ctx, { params, body }) => createProposal(ctx, params.id, body)),
  implement(proposal.decideProposal, (ctx, { params, body }) => decideProposal(ctx, params, body)),
];
