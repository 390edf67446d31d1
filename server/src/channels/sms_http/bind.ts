/** An adapter for an SMS provider over HTTP, from the functions of its file. */
import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import type { Adapter, Callback, CallbackRequest, ConnectionSpec, Outgoing } from '../channel.ts';
import { openHttpBind, type Reading } from '../http_bind.ts';
import type { HttpCall } from '../http_call.ts';

type Pace = Pick<SmppSettings, 'window' | 'throughput'> & { timeout_ms: number };

export interface SmsProvider<S extends Pace> {
  name: string;
  readSettings(settings: unknown): S;
  request(settings: S, message: Outgoing, connection: ConnectionSpec): HttpCall;
  /** Reads the response to a request. */
  read(status: number, body: string, settings: S): Reading;
  /** Verifies and reads a callback. `session` identifies the connection. */
  callback(settings: S, request: CallbackRequest, session: string): Callback;
}

export const smsProvider = <S extends Pace>(provider: SmsProvider<S>): Adapter => ({
  name: provider.name,
  binds: () => 1,
  open(connection, events) {
    const settings = provider.readSettings(connection.settings);
    const { window, throughput, timeout_ms } = settings;
    return openHttpBind(
      {
        ...{ window, throughput, timeout_ms },
        request: (message) => provider.request(settings, message, connection),
        read: (status, body) => provider.read(status, body, settings),
      },
      events,
    );
  },
  parts: () => 1,
  callbacks: {
    read: ({ id, settings }, request) => provider.callback(provider.readSettings(settings), request, id),
  },
});

export const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
export const FORM_HEADERS = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
