/** The settings of one bind to a carrier. */

import type { ConnectionOptions } from 'node:tls';
import type { Pdu, PduDraft } from './pdu.ts';
import type { Range } from './transport/backoff.ts';

export type BindType = 'transceiver' | 'transmitter' | 'receiver';
export type ClientState = 'connecting' | 'bound' | 'throttled' | 'waiting' | 'stopped';

export type ClientOptions = {
  host: string;
  port: number;
  tls?: boolean | ConnectionOptions;
  system_id: string;
  password: string;
  system_type?: string;
  bind?: BindType;
  interface_version?: number;
  addr_ton?: number;
  addr_npi?: number;
  address_range?: string;
  /** The maximum number of requests waiting for a response. */
  window?: number;
  /** Submits per second. Omit for no limit. */
  throughput?: number;
  response_timeout_ms?: number;
  connect_timeout_ms?: number;
  enquire_link_ms?: number;
  enquire_link_timeout_ms?: number;
  reconnect?: Range;
  /** The pause after ESME_RTHROTTLED or ESME_RMSGQFUL. It doubles while throttling continues. */
  throttle?: Range;
  /** The maximum number of deliveries in progress. Any others get ESME_RMSGQFUL, and the carrier retries them. */
  deliver_window?: number;
  /** The source of jitter. Returns values from 0 to 1. */
  random?: () => number;
  onDeliver?: (pdu: Pdu) => Promise<void> | void;
  onState?: (state: ClientState, detail: string) => void;
  onLateResponse?: (response: Pdu, request: PduDraft) => void;
};
