/** An adapter for an SMS provider over HTTP, from the functions of its file. */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import type { SentMessage } from '../carrier_facts.ts';
import {
  type Adapter,
  type Callback,
  type CallbackRequest,
  CarrierRefusal,
  type ConnectionSpec,
  type Outgoing,
} from '../channel.ts';
import type { TestExchange, TestReading } from '../connection_test.ts';
import { openHttpBind, type Reading } from '../http_bind.ts';
import { callHttp, type HttpCall } from '../http_call.ts';
import { listSecretTexts, showRequest } from '../http_exchange.ts';
import { type Json, maskNumbers, parseJson, toObject } from '../wire_json.ts';

type Pace = Pick<SmppSettings, 'window' | 'throughput'> & { timeout_ms: number };

/** Calls the provider's API and returns the JSON object in the response. Throws `CarrierRefusal` if it is refused. */
export type Call = (call: HttpCall) => Promise<Json>;

export interface SmsProvider<S extends Pace> {
  name: string;
  readSettings(settings: unknown): S;
  request(settings: S, message: Outgoing, connection: ConnectionSpec): HttpCall;
  /** Reads the response to a request. */
  read(status: number, body: string, settings: S, message: Outgoing): Reading;
  /** Verifies and reads a callback. `session` identifies the connection. */
  callback(settings: S, request: CallbackRequest, session: string): Callback;
  /** True if the provider sends a message with the same `key` only once. */
  isIdempotent?: boolean;
  /** Sets the callback URL at the provider. Safe to repeat. */
  register?(settings: S, url: string, call: Call): Promise<void>;
  /** Returns the IDs of the messages that the provider has and that equal this one. */
  find?(settings: S, message: SentMessage, call: Call): Promise<readonly string[]>;
}

export function smsProvider<S extends Pace>(provider: SmsProvider<S>): Adapter {
  const { name, isIdempotent = false, register, find } = provider;
  const readSettings = readOnce(provider.readSettings);
  return {
    name,
    isIdempotent,
    binds: () => 1,
    open(connection, events) {
      const settings = readSettings(connection.settings);
      const { window, throughput, timeout_ms } = settings;
      return openHttpBind(
        {
          ...{ window, throughput, timeout_ms, secrets: listSecrets(name, settings) },
          request: (message) => provider.request(settings, message, connection),
          read: (status, body, message) => provider.read(status, body, settings, message),
        },
        events,
      );
    },
    parts: () => 1,
    callbacks: { read: ({ id, settings }, request) => provider.callback(readSettings(settings), request, id) },
    preview: {
      request: (connection, message) => {
        const settings = readSettings(connection.settings);
        return showRequest(provider.request(settings, message, connection), listSecrets(name, settings));
      },
    },
    tests: { read: (_connection, exchange) => ({ findings: listFindings(exchange), proposals: [] }) },
    ...(register && {
      registration: {
        subscribe: ({ settings }, url) => register(readSettings(settings), url, callWith(readSettings(settings))),
        account: ({ id }) => id,
      },
    }),
    ...(find && {
      lookup: {
        find: ({ settings }, message) => find(readSettings(settings), message, callWith(readSettings(settings))),
      },
    }),
  };
}

/** Caches the result for as long as the settings exist, because many callbacks share them. */
function readOnce<S>(read: (settings: unknown) => S): (settings: unknown) => S {
  const known = new WeakMap<object, S>();
  return (settings) => {
    if (typeof settings !== 'object' || settings === null) return read(settings);
    const result = known.get(settings) ?? read(settings);
    known.set(settings, result);
    return result;
  };
}

const listSecrets = (name: string, settings: object): string[] =>
  listSecretTexts({ ...settings }, ADAPTERS[name as AdapterName].secrets.options);

function listFindings({ report }: TestExchange): TestReading['findings'] {
  const findings: TestReading['findings'] = [];
  const add = (label: string, text: string) => text !== '' && findings.push({ label, text });
  if (!report) return findings;
  const { status, state, code, failure, detail } = report;
  add('Status', MESSAGE_STATUS[status].label);
  add('Status in the receipt', state);
  add('Code in the receipt', code ?? '');
  add('Reason in the receipt', failure?.text ?? '');
  add('Price in the receipt', String(detail.price ?? ''));
  return findings;
}

const callWith =
  ({ timeout_ms }: Pace): Call =>
  async (call) => {
    const { status, body } = await callHttp(call, { timeout_ms });
    const text = body.toString('utf8');
    if (status >= 200 && status < 300) return toObject(parseJson(text));
    throw new CarrierRefusal(String(status), `The provider responded with HTTP ${status}: ${maskNumbers(text)}`);
  };

/** Thrown if the provider has a callback URL that belongs to another program. */
export const otherUrl = (where: string): CarrierRefusal =>
  new CarrierRefusal('', `${where} already has another URL, which was not changed. Enter the callback URL there.`);

export const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
export const FORM_HEADERS = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
export const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
