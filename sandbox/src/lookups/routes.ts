/**
 * The lookup APIs of Twilio (`/twilio`) and Infobip (`/infobip`). Infobip accepts numbers and posts their results a
 * moment later, in two callbacks, and repeats the first one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inputObject, inputString, invalid } from '../problem.ts';
import { findLine, type Line, ORIGINAL, PORTED } from './lines.ts';

const DELAY_MS = 400;

export function lookupRoutes(api: FastifyInstance): void {
  api.get<{ Params: { number: string } }>('/twilio/v2/PhoneNumbers/:number', async ({ headers, params }, reply) => {
    if (!headers.authorization?.startsWith('Basic ')) return reply.code(401).send({ code: 20003, status: 401 });
    return twilioResult(params.number);
  });
  api.post('/infobip/number/1/notify', async (request, reply) => notify(request, reply));
}

function twilioResult(text: string) {
  const number = text.replace(/^\+/, '');
  const line = findLine(number);
  const network = line === 'ported' ? PORTED : ORIGINAL;
  return {
    phone_number: `+${number}`,
    valid: line !== 'not in use',
    line_type_intelligence:
      line === 'not in use'
        ? null
        : {
            carrier_name: line === 'unknown' ? null : network.name,
            mobile_country_code: line === 'landline' ? null : network.mcc,
            mobile_network_code: line === 'landline' ? null : network.mnc,
            type: line === 'landline' ? 'landline' : line === 'unknown' ? null : 'mobile',
            error_code: line === 'unknown' ? 60600 : null,
          },
  };
}

async function notify({ headers, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!headers.authorization?.startsWith('App ')) return reply.code(401).send({ requestError: {} });
  const input = inputObject(body, ['to', 'notifyUrl', 'notifyContentType']);
  if (!Array.isArray(input.to) || input.to.length === 0 || input.to.length > 1_000)
    throw invalid('to', 'must be a list');
  const numbers = input.to.map((number) => String(number).replace(/^\+/, ''));
  void report(inputString(input, 'notifyUrl', { min: 1, max: 1_000 }), numbers);
  return reply.send({ results: numbers.map((number) => ({ to: number, status: { groupName: 'PENDING' } })) });
}

async function report(url: string, numbers: readonly string[]): Promise<void> {
  const half = Math.ceil(numbers.length / 2);
  const parts = [numbers.slice(0, half), numbers.slice(half), numbers.slice(0, half)];
  for (const part of parts) {
    await pause(DELAY_MS);
    if (part.length === 0) continue;
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ results: part.map((number) => infobipResult(number, findLine(number))) }),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => {
      // A lost callback is lost, as with the real provider.
    });
  }
}

const GROUPS: Readonly<Record<Line, string>> = {
  'in use': 'DELIVERED',
  ported: 'DELIVERED',
  absent: 'UNDELIVERABLE',
  'not in use': 'UNDELIVERABLE',
  landline: 'UNDELIVERABLE',
  unknown: 'REJECTED',
};

const ERRORS: Partial<Record<Line, { name: string; permanent: boolean }>> = {
  absent: { name: 'EC_ABSENT_SUBSCRIBER', permanent: false },
  'not in use': { name: 'EC_UNKNOWN_SUBSCRIBER', permanent: true },
  landline: { name: 'EC_NOT_MOBILE', permanent: true },
};

function infobipResult(number: string, line: Line) {
  const network = line === 'ported' ? PORTED : ORIGINAL;
  return {
    to: number,
    mccMnc: line === 'landline' ? null : `${network.mcc}${network.mnc}`,
    originalNetwork: { networkName: ORIGINAL.name },
    ported: line === 'ported',
    portedNetwork: line === 'ported' ? { networkName: PORTED.name } : null,
    status: { groupName: GROUPS[line] },
    error: ERRORS[line] ?? { name: 'NO_ERROR', permanent: false },
  };
}
