// Settings of one bind, as a connection's row holds them.

import type { ConnectionOptions } from 'node:tls';
import type { Range } from './backoff.ts';
import type { Pdu, PduDraft } from './pdu.ts';

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
  /** Requests under way at once. */
  window?: number;
  /** Submits started per second; none means no limit. */
  throughput?: number;
  response_timeout_ms?: number;
  connect_timeout_ms?: number;
  enquire_link_ms?: number;
  enquire_link_timeout_ms?: number;
  reconnect?: Range;
  /** Pause after ESME_RTHROTTLED or ESME_RMSGQFUL, doubling while it goes on. */
  throttle?: Range;
  /** Deliveries being worked on at once; more are answered ESME_RMSGQFUL, and the carrier offers them again. */
  deliver_window?: number;
  /** Source of jitter, 0 to 1. */
  random?: () => number;
  onDeliver?: (pdu: Pdu) => Promise<void> | void;
  onState?: (state: ClientState, detail: string) => void;
  onLateResponse?: (response: Pdu, request: PduDraft) => void;
};
