/**
 * A test of a connection: one message to the operator's phone. Its response and its receipt show how the carrier writes
 * IDs, dates, and numbers. The result proposes settings that match the carrier.
 */
import { z } from 'zod';
import { idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { FAILURES } from '../messages/messages.ts';
import { type StatusWord, statusWord } from '../status.ts';

const TEST_STATES = ['queued', 'not_sent', 'refused', 'waiting', 'no_receipt', 'complete'] as const;
type TestState = (typeof TEST_STATES)[number];

export const TEST_STATE: Readonly<Record<TestState, StatusWord>> = {
  queued: statusWord('Sending', 'wait', 'progress'),
  not_sent: statusWord('Not sent', 'fail', 'alert'),
  refused: statusWord('Refused', 'fail', 'alert'),
  waiting: statusWord('Waiting for the receipt', 'wait', 'progress'),
  no_receipt: statusWord('No receipt', 'fail', 'alert'),
  complete: statusWord('Complete', 'ok', 'check'),
};
export const isRunning = (state: TestState): boolean => state === 'queued' || state === 'waiting';

/** A value of a setting; null if it is not set. */
const value = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const Proposal = z.object({
  /** The name of the setting. */
  setting: z.string(),
  current: value,
  proposed: value,
  reason: z.string(),
});
export type Proposal = z.output<typeof Proposal>;

const headers = z.array(z.object({ name: z.string(), value: z.string() }));
/** A request to a provider over HTTP. Secrets are masked. */
export const ShownRequest = z.object({ method: z.string(), url: z.string(), headers, body: z.string() });
export type ShownRequest = z.output<typeof ShownRequest>;
/** A response of a provider, with the headers that explain it. `is_cut`: the body continues. */
export const ShownResponse = z.object({ status: z.int(), headers, body: z.string(), is_cut: z.boolean() });
export type ShownResponse = z.output<typeof ShownResponse>;

export const HttpExchange = z.object({
  request: ShownRequest,
  /** Null if no response arrived. */
  response: ShownResponse.nullable(),
  ms: z.int(),
});
export type HttpExchange = z.output<typeof HttpExchange>;

/** The result that the adapter read from the response. The kind of a failure decides what happens to a message. */
const TestOutcome = z.object({
  ids: z.array(z.string()),
  failure: z.object({ kind: z.enum(FAILURES), code: z.string(), text: z.string() }).nullable(),
});

export const ConnectionTest = z.object({
  id: z.string(),
  connection_id: z.string(),
  from: z.string(),
  to: z.string(),
  state: z.enum(TEST_STATES),
  /** The events and the values that the carrier sent, in display order. */
  findings: z.array(z.object({ label: z.string(), text: z.string() })),
  /** Settings that match the carrier better. Empty if all settings match. */
  proposals: z.array(Proposal),
  /** The request and the response, for connections over HTTP. Null until the response has arrived. */
  exchange: HttpExchange.nullable(),
  /** Null until the carrier has responded. */
  outcome: TestOutcome.nullable(),
  create_date: timestamp,
});
export type ConnectionTest = z.output<typeof ConnectionTest>;

const TestMessage = z.object({
  from: z
    .string()
    .trim()
    .min(1, { error: problem('CONNECTION_TEST_SENDER_REQUIRED') })
    .max(20),
  to: z.string().trim().min(1).max(45),
  /** A short notice if omitted. */
  text: z.string().trim().min(1).max(1_000).optional(),
});

export const createConnectionTest = endpoint({
  id: 'connection_tests.create',
  method: 'POST',
  path: '/v1/connections/{id}/tests',
  summary: 'Send a free test message through a connection. Routes and stop lists do not apply',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams('CONNECTION_NOT_FOUND'),
  body: TestMessage,
  status: 201,
  idempotent: true,
  output: ConnectionTest,
  problems: [
    'OPERATOR_ONLY',
    'CONNECTION_NOT_FOUND',
    'CONNECTION_TEST_SENDER_REQUIRED',
    'CONNECTION_TEST_NOT_SUPPORTED',
    'CONNECTION_NOT_RUNNING',
    'RECIPIENTS_INVALID',
  ],
});

export const getConnectionTest = endpoint({
  id: 'connection_tests.get',
  method: 'GET',
  path: '/v1/connections/{id}/tests/{test_id}',
  summary: 'Get the result of a connection test',
  needs: 'CHANNELS:view',
  audience: 'operator',
  params: idParams('CONNECTION_NOT_FOUND').extend({
    test_id: idParams('CONNECTION_TEST_NOT_FOUND').shape.id,
  }),
  output: ConnectionTest,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND', 'CONNECTION_TEST_NOT_FOUND'],
});

export const previewConnectionTest = endpoint({
  id: 'connection_tests.preview',
  method: 'POST',
  path: '/v1/connections/{id}/request_previews',
  summary: 'Preview the request of a connection test. Nothing is sent',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams('CONNECTION_NOT_FOUND'),
  body: TestMessage,
  output: ShownRequest,
  problems: [
    'OPERATOR_ONLY',
    'CONNECTION_NOT_FOUND',
    'CONNECTION_TEST_SENDER_REQUIRED',
    'CONNECTION_TEST_NOT_SUPPORTED',
    'RECIPIENTS_INVALID',
  ],
});
