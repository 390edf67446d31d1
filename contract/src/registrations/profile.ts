/**
 * The profile that people see when they open a WhatsApp sender. It is sent to WhatsApp when the sender is approved, and
 * whenever it changes.
 */
import type { z } from 'zod';
import { WhatsappSection } from '../channels/whatsapp/access.ts';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Registration } from './registration.ts';

/** Fields of the form. The picture is the attachment `logo_640x640`. */
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
    'Change the profile of a WhatsApp sender in use; missing fields stay. `profile` of the sender has the result',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams(1402),
  body: ProfileDraft,
  output: Registration,
  problems: [1402, 1448, 1449, 1450, 1454, 1460, 1461, 1462, 1464, 1472, 1524],
});
