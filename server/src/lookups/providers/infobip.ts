/**
 * Infobip Number Lookup. A request takes many numbers, and the results arrive by callback, some sooner than others:
 * https://www.infobip.com/docs/number-lookup/number-lookup-over-api
 */
import { z } from 'zod';
import { callHttp } from '../../channels/http_call.ts';
import { type LookupProvider, type LookupResult, type ProviderAccess, unknownResult } from './provider.ts';

const TIMEOUT_MS = 15_000;

const Network = z.object({ networkName: z.string().nullish() }).nullish();
const Callback = z.object({
  results: z
    .array(
      z.object({
        to: z.string().regex(/^\+?\d{4,15}$/),
        mccMnc: z.string().nullish(),
        originalNetwork: Network,
        ported: z.boolean().nullish(),
        portedNetwork: Network,
        status: z.object({ groupName: z.string() }),
        error: z.object({ name: z.string().nullish(), permanent: z.boolean().nullish() }).nullish(),
      }),
    )
    .max(1_000),
});
type Row = z.output<typeof Callback>['results'][number];

export function infobipProvider({ url, secret }: ProviderAccess): LookupProvider {
  return {
    name: 'infobip',
    batch: 100,
    async request({ numbers, callback_url, signal }) {
      const { status } = await callHttp(
        {
          method: 'POST',
          url: `${url}/number/1/notify`,
          headers: {
            authorization: `App ${secret}`,
            'content-type': 'application/json',
            accept: 'application/json',
          },
          body: JSON.stringify({ to: numbers, notifyUrl: callback_url, notifyContentType: 'application/json' }),
        },
        { timeout_ms: TIMEOUT_MS, signal },
      );
      if (status !== 200) throw new Error(`Infobip responded with status ${status}`);
      return null;
    },
    readCallback: (body) => Callback.parse(body).results.map(toResult),
  };
}

function toResult({ to, mccMnc, originalNetwork, ported, portedNetwork, status, error }: Row): LookupResult {
  const number = to.replace(/^\+/, '');
  const network = originalNetwork?.networkName ?? null;
  const found = {
    number,
    network,
    operator: (ported ? portedNetwork?.networkName : network) ?? network,
    line_type: 'mobile' as const,
    ported: ported ?? null,
    mccmnc: mccMnc && /^\d{5,6}$/.test(mccMnc) ? mccMnc : null,
  };
  if (error?.name === 'EC_NOT_MOBILE' || error?.name === 'EC_FIXED_LINE')
    return { ...found, status: 'landline', live_status: null, line_type: 'landline' };
  if (status.groupName === 'DELIVERED') return { ...found, status: 'good', live_status: 'active' };
  if (status.groupName === 'UNDELIVERABLE' || status.groupName === 'EXPIRED')
    return error?.permanent
      ? { ...found, status: 'bad', live_status: 'inactive' }
      : { ...found, status: 'good', live_status: 'absent' };
  return unknownResult(number);
}
