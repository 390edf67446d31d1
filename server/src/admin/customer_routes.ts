import * as contract from '@parley/contract/admin/customers.ts';
import * as requests from '@parley/contract/admin/requests.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { unnamedProxy } from '../kernel/http/proxy.ts';
import * as customers from './customers.ts';
import { getHealth, runDoctor } from './health.ts';
import { createKey, endImpersonation, openKey } from './impersonation.ts';
import { putLook } from './looks.ts';
import { decideRequest, getRequest, listRequests } from './requests.ts';

export const customerRoutes: Implementation[] = [
  implement(contract.listCustomers, ({ tx }, { query }) => customers.listCustomers(tx, query)),
  implement(contract.getCustomer, ({ tx }, { params }) => customers.getCustomer(tx, params.id)),
  implement(contract.updateCustomer, (ctx, { params, body }) => customers.updateCustomer(ctx, params.id, body)),
  implement(contract.blockCustomer, (ctx, { params, body }) => customers.blockCustomer(ctx, params.id, body)),
  implement(contract.reopenCustomer, (ctx, { params }) => customers.reopenCustomer(ctx, params.id)),
  implement(contract.listCustomerUsers, ({ tx }, { params, query }) =>
    customers.listCustomerUsers(tx, params.id, query),
  ),
  implement(contract.blockCustomerUser, (ctx, { params, body }) => customers.blockCustomerUser(ctx, params, body)),
  implement(contract.listCustomerAudit, ({ tx }, { params, query }) =>
    customers.listCustomerAudit(tx, params.id, query),
  ),
  implement(contract.listCustomerSenders, ({ tx }, { params, query }) =>
    customers.listCustomerSenders(tx, params.id, query),
  ),
  implement(contract.createCustomerSender, (ctx, { params, body }) =>
    customers.createCustomerSender(ctx, params.id, body),
  ),
  implement(requests.listRequests, ({ tx, actor }, { query }) => listRequests(tx, actor, query)),
  implement(requests.getRequest, ({ kernel, actor }, { params }) => getRequest(kernel, actor, params.id)),
  // The carrier may be asked before anything is written.
  implementOutside(requests.decideRequest, (ctx, { params, body }) => decideRequest(ctx, params.id, body)),
  implement(requests.putRequestLook, (ctx, { params, body }) => putLook(ctx, params.id, body.looking)),
  implement(contract.createAuthSession, (ctx, { body }) => createKey(ctx, body)),
  // A GET that writes: the address in the browser's bar is all there is to go by.
  implementOutside(contract.openAuthSession, ({ kernel, address, request_id, headers }, { params }) =>
    openKey(kernel.db, { address, request_id, headers }, params.id),
  ),
  implement(contract.endImpersonation, (ctx) => endImpersonation(ctx)),
  implement(contract.getHealth, ({ kernel, reply }) => getHealth(kernel, unnamedProxy(reply.request))),
  // What it reads takes longer than a transaction that writes should be open.
  implementOutside(contract.runDoctor, (ctx) => runDoctor(ctx)),
];
