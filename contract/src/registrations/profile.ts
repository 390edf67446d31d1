/**
 * The profile that people see when they open a WhatsApp sender. It is sent to WhatsApp when the sender is approved, and
 * whenever it changes.
 */
import type { z } from 'zod';
import { WhatsappSection } from '../channels/whatsapp/access.ts';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Registration } from './registration.ts';

/** Fields of the form. The image is the attachment `logo_640x640`. */
export const ProfileDraft = WhatsappSection.pick({
  about: true,
  category: true,
  business_description: true,
  business_address: true,
  business_email: true,
  business_website: true,
}).partial();
export type ProfileDraft = z.output<typeof ProfileDraft>;

export const putProfile = endpoint({
  id: 'senders.put_profile',
  method: 'PUT',
  path: '/v1/senders/{id}/profile',
  summary:
    'Update the profile of an active WhatsApp sender; omitted fields keep their values. Get the sender to see ' +
    'whether WhatsApp accepted the changes',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: ProfileDraft,
  output: Registration,
  problems: [
    'SENDER_NOT_FOUND',
    'BUSINESS_ADDRESS_INVALID',
    'BUSINESS_DESCRIPTION_INVALID',
    'BUSINESS_WEBSITE_INVALID',
    'BUSINESS_EMAIL_INVALID',
    'BUSINESS_ADDRESS_REQUIRED',
    'BUSINESS_DESCRIPTION_REQUIRED',
    'BUSINESS_WEBSITE_REQUIRED',
    'BUSINESS_EMAIL_REQUIRED',
    'SENDER_STATE_INVALID',
    'ACCOUNT_UNVERIFIED',
  ],
});
