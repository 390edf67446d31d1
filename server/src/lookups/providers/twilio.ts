/**
 * Twilio Lookup v2 with the package Line Type Intelligence, one request per number:
 * https://www.twilio.com/docs/lookup/v2-api/line-type-intelligence
 */
import { z } from 'zod';
import { callHttp, keepConnections } from '../../channels/http_call.ts';
import { type LookupProvider, type LookupResult, type ProviderAccess, unknownResult } from './provider.ts';

const TIMEOUT_MS = 15_000;
const PARALLEL = 10;

const Response = z.object({
  valid: z.boolean(),
  line_type_intelligence: z
    .object({
      carrier_name: z.string().nullish(),
      mobile_country_code: z.string().nullish(),
      mobile_network_code: z.string().nullish(),
      type: z.string().nullish(),
      error_code: z.number().nullish(),
    })
    .nullish(),
});

const LINE_TYPES: Readonly<Record<string, LookupResult['line_type']>> = {
  mobile: 'mobile',
  landline: 'landline',
  fixedVoip: 'voip',
  nonFixedVoip: 'voip',
  voip: 'voip',
  tollFree: 'toll_free',
};

export function createTwilioProvider({ url, secret }: ProviderAccess): LookupProvider {
  const keeper = keepConnections(PARALLEL);
  const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;
  const find = async (number: string, signal: AbortSignal): Promise<LookupResult> => {
    const { status, body } = await callHttp(
      {
        url: `${url}/v2/PhoneNumbers/%2B${number}?Fields=line_type_intelligence`,
        headers: { authorization, accept: 'application/json' },
      },
      { timeout_ms: TIMEOUT_MS, keeper, signal },
    );
    if (status === 404) return { ...unknownResult(number), status: 'bad' };
    if (status !== 200) throw new Error(`Twilio responded with status ${status}`);
    return toResult(number, Response.parse(JSON.parse(body.toString('utf8'))));
  };
  return {
    name: 'twilio',
    batch: PARALLEL,
    request: ({ numbers, signal }) => Promise.all(numbers.map((number) => find(number, signal))),
  };
}

function toResult(number: string, { valid, line_type_intelligence: line }: z.output<typeof Response>): LookupResult {
  if (!valid) return { ...unknownResult(number), status: 'bad' };
  if (!line?.type || line.error_code) return unknownResult(number);
  const line_type = LINE_TYPES[line.type] ?? 'other';
  const { mobile_country_code: mcc, mobile_network_code: mnc, carrier_name } = line;
  return {
    ...unknownResult(number),
    status: line_type === 'landline' || line_type === 'toll_free' ? 'landline' : 'good',
    operator: carrier_name ?? null,
    line_type,
    mccmnc: mcc && mnc ? `${mcc}${mnc}` : null,
  };
}
