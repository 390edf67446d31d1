/**
 * The port to the register of VAT numbers of the European Union (VIES), and its REST API. It is called only if VIES_URL
 * is set.
 */
import { z } from 'zod';
import { callHttp } from '../../channels/http_call.ts';

const TIMEOUT_MS = 15_000;

/** A VAT number of a member, split into its prefix and the rest. */
export interface VatId {
  prefix: string;
  number: string;
}

export interface Registration {
  is_valid: boolean;
  consultation_number: string | null;
  name: string | null;
  address: string | null;
}

const Answer = z.object({
  valid: z.boolean(),
  requestIdentifier: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
});

/** The register writes dashes for details that a member does not publish. */
const known = (text: string | null | undefined): string | null =>
  text && text !== '---' ? text.replaceAll('\u0000', '').slice(0, 500) : null;

/** Throws if the register or the member’s part of it is unavailable. `requester` is the issuing company. */
export async function findRegistration(url: string, id: VatId, requester: VatId | null): Promise<Registration> {
  const { status, body } = await callHttp(
    {
      method: 'POST',
      url: `${url}/check-vat-number`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        countryCode: id.prefix,
        vatNumber: id.number,
        ...(requester ? { requesterMemberStateCode: requester.prefix, requesterNumber: requester.number } : {}),
      }),
    },
    { timeout_ms: TIMEOUT_MS },
  );
  if (status !== 200) throw new Error(`the register of VAT numbers responded with status ${status}`);
  const parsed = Answer.safeParse(JSON.parse(body.toString('utf8')));
  if (!parsed.success) throw new Error(`the register of VAT numbers is unavailable: ${body.toString('utf8', 0, 200)}`);
  const { valid, requestIdentifier, name, address } = parsed.data;
  return {
    is_valid: valid,
    consultation_number: known(requestIdentifier),
    name: known(name),
    address: known(address),
  };
}
