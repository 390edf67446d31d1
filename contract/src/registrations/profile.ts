/**
 * The profile that people see when they open a WhatsApp sender. It is sent to WhatsApp when the sender is approved, and
 * whenever it changes.
 */
import { ProfileDraft } from '../channels/access.ts';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Registration } from './registration.ts';

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
