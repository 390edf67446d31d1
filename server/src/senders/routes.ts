import * as numbers from '@parley/contract/numbers/numbers.ts';
import * as access from '@parley/contract/registrations/access.ts';
import { putProfile } from '@parley/contract/registrations/profile.ts';
import * as registration from '@parley/contract/registrations/registration.ts';
import { SECTION_ENDPOINTS, type SectionName } from '@parley/contract/registrations/registration.ts';
import * as blockers from '@parley/contract/senders/blockers.ts';
import * as codes from '@parley/contract/senders/codes.ts';
import { RULED_COUNTRIES } from '@parley/contract/senders/countries.ts';
import { listSenderMembers, putSenderMembers } from '@parley/contract/senders/members.ts';
import { createSender, removeSender, updateSender } from '@parley/contract/senders/orders.ts';
import { listSenderRules } from '@parley/contract/senders/rules.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { attachAccess, putAccess } from '../registrations/access.ts';
import { createBlocker, removeBlocker } from './blockers.ts';
import { addNumbers, inventory, prices, putPrice, retireNumber } from '../numbers/inventory.ts';
import { freeNumbers, numberPlaces } from '../numbers/offers.ts';
import * as order from '../registrations/orders.ts';
import { ownNumbers } from '../registrations/own_number_queries.ts';
import { confirmNumber, sendCodeTo } from '../registrations/own_numbers.ts';
import { listMembers, putMembers } from './pool.ts';
import * as profile from '../registrations/profile.ts';
import * as form from '../registrations/form.ts';
import { removeSender as remove } from './removal.ts';
import { submitSender } from '../registrations/requests.ts';
import * as senders from './senders.ts';
import { giveCarrierCode, ofRequest, sendCarrierCode } from './carrier/verification.ts';

const sections = Object.entries(SECTION_ENDPOINTS).map(([name, endpoint]) =>
  implement(endpoint, (ctx, { params, body }) => form.putSection(ctx, params.id, name as SectionName, body)),
);

export const routes: Implementation[] = [
  implement(listSenders, ({ tx, actor }, { query }) => senders.sendersOf(tx, actor, query)),
  implement(registration.getSender, ({ kernel, actor }, { params }) => form.senderDetail(kernel, actor, params.id)),
  implement(createSender, (ctx, { body }) => order.orderSender(ctx, body)),
  implement(updateSender, (ctx, { params, body }) => order.updateSender(ctx, params.id, body)),
  implement(removeSender, (ctx, { params }) => remove(ctx, params.id)),
  ...sections,
  implement(registration.putAttachment, (ctx, { params, body }) => form.attach(ctx, params.id, body)),
  implement(access.putWhatsapp, (ctx, { params, body }) => putAccess(ctx, params.id, 'whatsapp', body)),
  implement(access.putViber, (ctx, { params, body }) => putAccess(ctx, params.id, 'viber', body)),
  implement(access.putWhatsappAttachment, (ctx, { params, body }) => attachAccess(ctx, params.id, 'whatsapp', body)),
  implement(access.putViberAttachment, (ctx, { params, body }) => attachAccess(ctx, params.id, 'viber', body)),
  implement(putProfile, (ctx, { params, body }) => profile.putProfile(ctx, params.id, body)),
  implementOutside(codes.createCarrierCode, (ctx, { params, body }) =>
    sendCarrierCode(ctx, { account_id: ctx.actor.account_id, sender_id: params.id }, body.method),
  ),
  implementOutside(codes.giveCarrierCode, (ctx, { params, body }) =>
    giveCarrierCode(ctx, { account_id: ctx.actor.account_id, sender_id: params.id }, body.code),
  ),
  implementOutside(codes.createRequestCode, async (ctx, { params, body }) =>
    sendCarrierCode(ctx, await ofRequest(ctx.kernel.db, params.id), body.method),
  ),
  implementOutside(codes.giveRequestCode, async (ctx, { params, body }) =>
    giveCarrierCode(ctx, await ofRequest(ctx.kernel.db, params.id), body.code),
  ),
  implement(access.listOwnNumbers, ({ tx, actor }) => ownNumbers(tx, actor.account_id)),
  implementOutside(access.createNumberVerification, (ctx, { params, body }) =>
    sendCodeTo(ctx, params.id, body.phone_number),
  ),
  implementOutside(access.confirmNumber, (ctx, { params, body }) =>
    confirmNumber(ctx, params.id, params.verification_id, body.code),
  ),
  implement(registration.removeAttachment, (ctx, { params }) =>
    form.removeAttachment(ctx, params.id, params.attachment_id),
  ),
  implement(registration.getPreflight, ({ kernel, actor }, { params }) =>
    form.checkSender(kernel, actor.account_id, params.id),
  ),
  implement(registration.submitSender, (ctx, { params }) => submitSender(ctx, params.id)),
  implement(blockers.createBlocker, ({ tx, actor }, { params, body }) =>
    createBlocker(tx, actor, params.id, body.number),
  ),
  implement(blockers.removeBlocker, ({ tx, actor }, { params }) =>
    removeBlocker(tx, actor, params.id, params.blocker_id),
  ),
  implement(listSenderMembers, ({ tx, actor }, { params }) => listMembers(tx, actor.account_id, params.id)),
  implement(putSenderMembers, (ctx, { params, body }) => putMembers(ctx, params.id, body)),
  implement(listSenderRules, async (_, { query }) => form.rulesFor(query, RULED_COUNTRIES)),
  implement(numbers.listNumbers, ({ tx, actor }, { query }) => freeNumbers(tx, actor.account_id, query)),
  implement(numbers.listNumberPlaces, ({ tx, actor }) => numberPlaces(tx, actor.account_id)),
  implement(numbers.listInventory, ({ tx }, { query }) => inventory(tx, query)),
  implement(numbers.addInventory, (ctx, { body }) => addNumbers(ctx, body)),
  implement(numbers.retireNumber, (ctx, { params, body }) => retireNumber(ctx, params.number, body.retired)),
  implement(numbers.listNumberPrices, ({ tx }) => prices(tx)),
  implement(numbers.putNumberPrice, (ctx, { body }) => putPrice(ctx, body)),
];
