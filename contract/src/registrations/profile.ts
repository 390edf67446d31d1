/** What people see when they open a WhatsApp sender: pushed to WhatsApp when the sender is approved, and whenever it changes. */
import type { z } from 'zod';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { WhatsappSection } from './access_form.ts';
import { Registration } from './registration.ts';

/** Of the form; the picture is the attachment `logo_640x640`. */
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
    'Change what people see when they open a WhatsApp sender that is in use; what is left out stays. WhatsApp’s answer stands in `profile` of the sender',
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
