/** Access to WhatsApp and Viber: the form, its files, and the verified numbers of a company. */
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
  summary: 'Save the WhatsApp form: company, number and profile; missing fields keep their values',
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
  summary: 'Save the Viber form: company, traffic and examples; missing fields keep their values',
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
  'Attach the logo (PNG of exactly 640 x 640) or a document; a new file replaces one of the same kind',
);
export const putViberAttachment = attachments(
  'viber',
  'Attach the warranty letter (PDF), a logo (PNG of exactly its size) or a document; a new file replaces its kind',
);

export const OwnNumber = z.object({
  number: z.string(),
  /** `own`: verified by a code. `account`: the account sends SMS from it. */
  source: z.enum(['own', 'account']),
  verify_date: timestamp.nullable(),
  /** The WhatsApp sender that uses or requests it. */
  sender_id: z.string().nullable(),
});
export type OwnNumber = z.output<typeof OwnNumber>;

export const listOwnNumbers = endpoint({
  id: 'senders.list_own_numbers',
  method: 'GET',
  path: '/v1/own_numbers',
  summary: 'List numbers that can become WhatsApp senders: verified numbers, and numbers the account sends SMS from',
  needs: 'SENDERS:view',
  output: z.array(OwnNumber),
  problems: [],
});

/** Only people can request it, so that limits are per person. The number then belongs to the company. */
export const createNumberVerification = endpoint({
  id: 'senders.create_phone_verification',
  method: 'POST',
  path: '/v1/senders/{id}/phone_verifications',
  summary: 'Send a verification code by SMS to a number of the company',
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
  summary: 'Verify the number with its code',
  needs: 'SENDERS:add',
  verified: true,
  audience: 'person',
  params: z.object({ id: uuid(1402), verification_id: uuid(1110) }),
  body: z.object({ code }),
  output: OwnNumber,
  problems: [1110, 1125, 1140, 1402, 1524, 1801],
});
