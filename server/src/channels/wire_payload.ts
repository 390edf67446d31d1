/** What goes to a carrier and comes back, as users read it in the inspector of a message. */
import type { ShownRequest, ShownResponse } from '@parley/contract/connections/connection_tests.ts';
import type { OutgoingContent } from './outgoing_content.ts';

export interface WirePayload {
  direction: 'sent' | 'received';
  /** The PDU, the request line, or the status of the response. */
  title: string;
  fields: readonly { name: string; value: string }[];
  body: string;
  is_cut: boolean;
}

export interface ArrivedPayload {
  at: Date;
  payload: WirePayload;
}

/** As JSON that PostgreSQL accepts. */
export const payloadJson = (payload: WirePayload): string => JSON.stringify(payload).replaceAll('\\u0000', '');

/** Records the payloads of one message. */
export interface PayloadRecorder {
  /** The message with its codes masked. The payloads that were sent are shown with it. */
  readonly masked: { readonly text: string; readonly content: OutgoingContent | null };
  record(payload: WirePayload): void;
}

export const sentPayload = ({ method, url, headers, body }: ShownRequest): WirePayload => ({
  ...{ direction: 'sent', title: `${method} ${url}`, fields: headers, body, is_cut: false },
});

export const receivedPayload = ({ status, headers, body, is_cut }: ShownResponse): WirePayload => ({
  ...{ direction: 'received', title: `HTTP ${status}`, fields: headers, body, is_cut },
});

/** Shows that no response arrived. */
export const missingPayload = (reason: string): WirePayload => ({
  ...{
    direction: 'received',
    title: 'No response',
    fields: [{ name: 'reason', value: reason }],
    body: '',
    is_cut: false,
  },
});
