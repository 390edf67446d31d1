import { ACCESS_KINDS } from '@parley/contract/channels/access_kinds.ts';
import * as access from '@parley/contract/registrations/access.ts';
import { putProfile as putProfileEndpoint } from '@parley/contract/registrations/profile.ts';
import * as registration from '@parley/contract/registrations/registration.ts';
import { SECTION_ENDPOINTS, type SectionName } from '@parley/contract/registrations/registration.ts';
import { RULED_COUNTRIES } from '@parley/contract/senders/countries.ts';
import { createSender, updateSender as updateSenderEndpoint } from '@parley/contract/senders/orders.ts';
import { listSenderRules } from '@parley/contract/senders/rules.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { attachAccess, putAccess } from './access.ts';
import { attach, removeAttachment } from './attachments.ts';
import { readSenderDetail, toSenderRules } from './detail.ts';
import { checkSender, putSection } from './form.ts';
import { orderSender, updateSender } from './orders.ts';
import { listOwnNumbers } from './own_number_queries.ts';
import { confirmNumber, sendOwnershipCode } from './own_numbers.ts';
import { putProfile } from './profile.ts';
import { submitSender } from './requests.ts';

const sections = Object.entries(SECTION_ENDPOINTS).map(([name, endpoint]) =>
  implement(endpoint, (ctx, { params, body }) => putSection(ctx, params.id, name as SectionName, body)),
);
const accessForms = ACCESS_KINDS.flatMap((kind) => [
  implement(access.SAVE_ACCESS[kind], (ctx, { params, body }) => putAccess(ctx, params.id, kind, body)),
  implement(access.ATTACH_ACCESS[kind], (ctx, { params, body }) => attachAccess(ctx, params.id, kind, body)),
]);

export const routes: readonly Implementation[] = [
  implement(createSender, (ctx, { body }) => orderSender(ctx, body)),
  implement(updateSenderEndpoint, (ctx, { params, body }) => updateSender(ctx, params.id, body)),
  implement(listSenderRules, async (_, { query }) => toSenderRules(query.filter?.countries ?? [], RULED_COUNTRIES)),
  implement(registration.getSender, ({ kernel, actor }, { params }) => readSenderDetail(kernel, actor, params.id)),
  ...sections,
  implement(registration.putAttachment, (ctx, { params, body }) => attach(ctx, params.id, body)),
  implement(registration.removeAttachment, (ctx, { params }) => removeAttachment(ctx, params.id, params.attachment_id)),
  ...accessForms,
  implement(putProfileEndpoint, (ctx, { params, body }) => putProfile(ctx, params.id, body)),
  implement(access.listOwnNumbers, ({ tx, actor }) => listOwnNumbers(tx, actor.account_id)),
  implementOutside(access.createNumberVerification, (ctx, { params, body }) =>
    sendOwnershipCode(ctx, params.id, body.phone_number),
  ),
  implementOutside(access.confirmNumber, (ctx, { params, body }) =>
    confirmNumber(ctx, params.id, params.verification_id, body.code),
  ),
  implement(registration.getPreflight, ({ kernel, actor }, { params }) =>
    checkSender(kernel, actor.account_id, params.id),
  ),
  implement(registration.submitSender, (ctx, { params }) => submitSender(ctx, params.id)),
];
