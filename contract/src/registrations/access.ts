/** Access to WhatsApp and Viber: the parts of the form, its files, and the numbers that a company shows to be its own. */
import { z } from 'zod';
import { code, Verification } from '../auth/sign_up.ts';
import { ACCESS_FORMS } from '../channels/access.ts';
import type { AccessKind } from '../channels/access_kinds.ts';
import { ViberDraft } from '../channels/viber/access.ts';
import { WhatsappDraft } from '../channels/whatsapp/access.ts';
import { idParams, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import type { FileKind } from './access_files.ts';
import { Attachment, MAX_ATTACHMENT_BYTES, Registration } from './registration.ts';

const BUSINESS = [
  1445, 1446, 1447, 1448, 1449, 1450, 1451, 1452, 1453, 1454, 1455, 1456, 1457, 1458, 1459, 1460, 1461, 1462, 1463,
  1464,
] as const;

export const putWhatsapp = endpoint({
  id: 'senders.put_whatsapp',
  method: 'PUT',
  path: '/v1/senders/{id}/whatsapp',
  summary: 'The company, its number and profile as WhatsApp asks for them; what is left out stays as it was',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams(1402),
  body: WhatsappDraft,
  output: Registration,
  problems: [...BUSINESS, 1402, 1440, 1443, 1472, 1524],
});
export const putViber = endpoint({
  id: 'senders.put_viber',
  method: 'PUT',
  path: '/v1/senders/{id}/viber',
  summary: 'The company, its traffic and examples as Viber asks for them; what is left out stays as it was',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams(1402),
  body: ViberDraft,
  output: Registration,
  problems: [...BUSINESS, 1402, 1472, 1524],
});

const fileKinds = (kind: AccessKind): FileKind[] => ACCESS_FORMS[kind].files.map((file) => file.kind);
const attachments = <K extends AccessKind>(kind: K, summary: string) =>
  endpoint({
    id: `senders.put_${kind}_attachments`,
    method: 'PUT',
    path: `/v1/senders/{id}/${kind}_attachments`,
    summary,
    needs: 'SENDERS:add',
    verified: true,
    params: idParams(1402),
    body: z.object({ kind: z.enum(fileKinds(kind)) }),
    upload: { max_bytes: MAX_ATTACHMENT_BYTES },
    timeout_ms: 60_000,
    output: Attachment,
    problems: [1008, 1402, 1472, 1474, 1524, 1906, 1907, 1908, 1909, 1915],
  });
export const putWhatsappAttachment = attachments(
  'whatsapp',
  'Attach the logo of the profile (PNG of exactly 640 x 640) or a document; one of each kind but others, the newer one counts',
);
export const putViberAttachment = attachments(
  'viber',
  'Attach the warranty letter (PDF), a logo (PNG of exactly the size its kind names) or a document; the newer one of a kind counts',
);

export const OwnNumber = z.object({
  number: z.string(),
  /** `own`: shown by a code to be the company’s. `account`: it sends SMS from here. */
  source: z.enum(['own', 'account']),
  verify_date: timestamp.nullable(),
  /** The sender of WhatsApp that has it, or asks for it. */
  sender_id: z.string().nullable(),
});
export type OwnNumber = z.output<typeof OwnNumber>;

export const listOwnNumbers = endpoint({
  id: 'senders.list_own_numbers',
  method: 'GET',
  path: '/v1/own_numbers',
  summary:
    'Numbers that can become a sender of WhatsApp: those shown to be the company’s own, and those it sends SMS from',
  needs: 'SENDERS:view',
  output: z.array(OwnNumber),
  problems: [],
});

/** A person asks, so that limits are theirs; the number then belongs to the company. */
export const createNumberVerification = endpoint({
  id: 'senders.create_phone_verification',
  method: 'POST',
  path: '/v1/senders/{id}/phone_verifications',
  summary: 'Send a code by SMS to a number of the company; with the right code it counts as its own',
  needs: 'SENDERS:add',
  verified: true,
  audience: 'person',
  params: idParams(1402),
  body: z.object({
    phone_number: z
      .string({ error: problem(1443) })
      .trim()
      .min(1, { error: problem(1443) })
      .max(45, { error: problem(1443) }),
  }),
  status: 201,
  output: Verification,
  problems: [1167, 1402, 1443, 1472, 1524, 1801],
});
export const confirmNumber = endpoint({
  id: 'senders.confirm_phone_verification',
  method: 'PUT',
  path: '/v1/senders/{id}/phone_verifications/{verification_id}',
  summary: 'Give the code that came to the number',
  needs: 'SENDERS:add',
  verified: true,
  audience: 'person',
  params: z.object({ id: uuid(1402), verification_id: uuid(1110) }),
  body: z.object({ code }),
  output: OwnNumber,
  problems: [1110, 1125, 1140, 1402, 1524, 1801],
});
