/** The exchange with a message's carrier. It is recorded on request, for a limited time. */
import { z } from 'zod';
import { idParams, range, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

/** A recording ends after this many messages, outbound and inbound, so that a campaign does not become slower. */
export const MAX_RECORDED_MESSAGES = 500;
export const DEFAULT_RECORDING_MINUTES = 60;
const MAX_RECORDING_MINUTES = 240;

export const CarrierRecording = z.object({
  account_id: z.string(),
  /** True if messages sent or received now are recorded. */
  is_on: z.boolean(),
  /** The end of the last recording; null if there was none. */
  end_date: timestamp.nullable(),
  /** The number of messages recorded since the start. */
  messages_count: z.int(),
  max_messages: z.int(),
});
export type CarrierRecording = z.output<typeof CarrierRecording>;

export const getCarrierRecording = endpoint({
  id: 'carrier_recording.get',
  method: 'GET',
  path: '/v1/carrier_recording',
  summary: 'Get whether the carrier payloads of messages are recorded',
  needs: 'MESSAGES:view',
  unattended: true,
  output: CarrierRecording,
  problems: [],
});

export const startCarrierRecording = endpoint({
  id: 'carrier_recording.start',
  method: 'PUT',
  path: '/v1/carrier_recording',
  summary: 'Record the carrier payloads of the next messages. A new recording replaces the current one',
  needs: 'MESSAGES:edit',
  body: z.object({ minutes: range(1, MAX_RECORDING_MINUTES).default(DEFAULT_RECORDING_MINUTES) }),
  output: CarrierRecording,
  problems: [],
});

export const stopCarrierRecording = endpoint({
  id: 'carrier_recording.stop',
  method: 'DELETE',
  path: '/v1/carrier_recording',
  summary: 'Stop recording carrier payloads. Recorded ones stay until they expire',
  needs: 'MESSAGES:edit',
  status: 204,
  output: z.null(),
  problems: [],
});

export const CarrierPayload = z.object({
  id: z.string(),
  direction: z.enum(['sent', 'received']),
  /** The PDU, the request line, or the status of the response. */
  title: z.string(),
  /** The fields of the PDU, or the headers, in order. Secrets are masked. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The body, with numbers of 4 to 8 digits in texts masked. Empty for PDUs. */
  body: z.string(),
  /** True if only the beginning of the body was recorded. */
  is_cut: z.boolean(),
  connection_name: z.string().nullable(),
  /** UTC with milliseconds. */
  at: z.string(),
});
export type CarrierPayload = z.output<typeof CarrierPayload>;

export const listCarrierPayloads = endpoint({
  id: 'carrier_payloads.list',
  method: 'GET',
  path: '/v1/messages/{id}/carrier_payloads',
  summary: 'List the recorded exchange with the carrier of a message, oldest first',
  needs: 'MESSAGES:view',
  unattended: true,
  params: idParams('MESSAGE_ID_INVALID'),
  output: z.array(CarrierPayload),
  problems: ['MESSAGE_NOT_FOUND', 'MESSAGE_ID_INVALID'],
});

export const carrierRecordingChanged = event({
  id: 'carrier_recording.changed',
  modules: ['carrier_recording'],
  needs: 'MESSAGES:view',
  payload: CarrierRecording,
});
