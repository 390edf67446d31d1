/**
 * The register of VAT numbers of the European Union (`/vies`). Numbers that end in 000 are not valid, and for numbers
 * that end in 999 the register of the member is unavailable.
 */
import type { FastifyInstance } from 'fastify';
import { inputObject, inputString } from '../problem.ts';

export function viesRoutes(api: FastifyInstance): void {
  api.post('/vies/check-vat-number', ({ body }) => {
    const input = inputObject(body, ['countryCode', 'vatNumber', 'requesterMemberStateCode', 'requesterNumber']);
    const countryCode = inputString(input, 'countryCode', { min: 2, max: 2 });
    const vatNumber = inputString(input, 'vatNumber', { min: 1, max: 20 });
    // The register reports its problems with status 200.
    if (vatNumber.endsWith('999')) return { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] };
    const valid = !vatNumber.endsWith('000');
    return {
      ...{ countryCode, vatNumber, valid, requestDate: new Date().toISOString() },
      requestIdentifier: valid && input.requesterNumber ? `WAPISANDBOX${countryCode}${vatNumber}` : '',
      ...(valid ? { name: 'HARBOUR COFFEE', address: 'QUAY 1' } : { name: '---', address: '---' }),
      ...{ traderName: '---', traderStreet: '---', traderPostalCode: '---', traderCity: '---' },
    };
  });
}
