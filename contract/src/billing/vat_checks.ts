/** Checks of VAT numbers in the register of the European Union (VIES). */
import { z } from 'zod';
import { idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const VatCheck = z.object({
  /** Without spaces, with its prefix. */
  vat_number: z.string(),
  /** `waiting`: the register has not answered yet. */
  status: z.enum(['waiting', 'valid', 'invalid']),
  /** Proves the check to tax authorities. */
  consultation_number: z.string().nullable(),
  /** Null if the member does not publish it. */
  registered_name: z.string().nullable(),
  registered_address: z.string().nullable(),
  check_date: timestamp.nullable(),
});
export type VatCheck = z.output<typeof VatCheck>;

export const getVatCheck = endpoint({
  id: 'vat_checks.get',
  method: 'GET',
  path: '/v1/vat_checks/{id}',
  summary: 'Get the last check of an account’s VAT number',
  needs: 'INVOICES:view',
  params: idParams('ACCOUNT_NOT_FOUND'),
  output: z.object({
    /** Null if the account has no VAT number, or is not in the European Union. */
    is_format_valid: z.boolean().nullable(),
    /** Null if the number was not checked: it is not from the European Union, or checks are off. */
    check: VatCheck.nullable(),
  }),
  problems: ['ACCOUNT_NOT_FOUND'],
});

export const vatCheckChanged = event({
  id: 'vat_check.changed',
  modules: ['vat_checks', 'payment_settings'],
  needs: 'INVOICES:view',
  payload: z.object({ vat_number: z.string(), status: VatCheck.shape.status }),
});
