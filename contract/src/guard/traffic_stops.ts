/** Number ranges and countries whose messages show signs of fraud, and whether messages to them are stopped. */
import { z } from 'zod';
import { enumInput, idParams, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { Evidence, Figure, PUMPING_SIGNALS, type PumpingSignal, TRAFFIC } from './pumping.ts';

/** Verification codes have their own settings and list. */
export const MESSAGE_TRAFFIC = ['messages', 'campaigns'] as const;
export type MessageTraffic = (typeof MESSAGE_TRAFFIC)[number];
export const TRAFFIC_WORDS: Readonly<Record<(typeof TRAFFIC)[number], string>> = {
  codes: 'Verification codes',
  messages: 'Single messages',
  campaigns: 'Campaigns',
};

/** Whether a sign is ignored, reported, or reported and stops the destination. */
export const TRAFFIC_ACTIONS = ['off', 'notify', 'block'] as const;
export type TrafficAction = (typeof TRAFFIC_ACTIONS)[number];
export const DEFAULT_TRAFFIC_ACTION: TrafficAction = 'notify';
export const DEFAULT_STOP_HOURS = 24;
export const MAX_STOP_HOURS = 720;

export const MESSAGE_SIGNAL_LABELS: Readonly<Record<PumpingSignal, string>> = {
  unused: 'Unused codes',
  conversion: 'Falling conversion',
  consecutive: 'Consecutive numbers',
  concentration: 'Concentration on one range',
  growth: 'Sudden growth',
};

export const TrafficStop = z.object({
  id: z.string(),
  traffic: z.enum(TRAFFIC),
  kind: z.enum(['range', 'country']),
  /** The first digits of the numbers, or the country. */
  place: z.string(),
  country: z.string(),
  /** The pattern that was found. */
  signal: z.enum(PUMPING_SIGNALS),
  evidence: Evidence,
  /** The evidence in words. */
  reason: z.string(),
  /** Other figures at that time, which are kept after the counts are deleted. */
  figures: z.array(Figure),
  /** False if the account was only notified, and messages are still sent. */
  refuses: z.boolean(),
  stop_date: timestamp,
  /** When messages are allowed again. Null if only a user can lift the stop. */
  expire_date: timestamp.nullable(),
});
export type TrafficStop = z.output<typeof TrafficStop>;

export const listTrafficStops = endpoint({
  id: 'traffic_stops.list',
  method: 'GET',
  path: '/v1/traffic_stops',
  summary: 'List the destinations whose messages show signs of fraud, and whether they get messages, newest first',
  needs: 'SMS_LIMITS:view',
  output: z.array(TrafficStop),
  problems: [],
});

export const liftTrafficStop = endpoint({
  id: 'traffic_stops.lift',
  method: 'DELETE',
  path: '/v1/traffic_stops/{id}',
  summary: 'Lift a stop, so that messages to the number range or country are sent again',
  needs: 'SMS_LIMITS:edit',
  audience: 'session',
  params: idParams('TRAFFIC_STOP_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['TRAFFIC_STOP_NOT_FOUND'],
});

export const AccountTrafficStop = TrafficStop.extend({ account_id: z.string(), account_name: z.string() });
export type AccountTrafficStop = z.output<typeof AccountTrafficStop>;

export const listAccountTrafficStops = endpoint({
  id: 'traffic_stops.list_all',
  method: 'GET',
  path: '/v1/account_traffic_stops',
  summary: 'List the active stops of all accounts, newest first',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  output: z.array(AccountTrafficStop),
  problems: ['OPERATOR_ONLY'],
});

const customerStop = z.object({ id: uuid('ACCOUNT_NOT_FOUND'), stop_id: uuid('TRAFFIC_STOP_NOT_FOUND') });

export const listCustomerTrafficStops = endpoint({
  id: 'traffic_stops.list_customer',
  method: 'GET',
  path: '/v1/accounts/{id}/traffic_stops',
  summary: 'List the destinations whose messages or codes of an account show signs of fraud, newest first',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  output: z.array(TrafficStop),
  problems: ['OPERATOR_ONLY', 'ACCOUNT_NOT_FOUND'],
});

export const liftCustomerTrafficStop = endpoint({
  id: 'traffic_stops.lift_customer',
  method: 'DELETE',
  path: '/v1/accounts/{id}/traffic_stops/{stop_id}',
  summary: 'Lift an account’s stop, so that its messages or codes to the number range or country are sent again',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params: customerStop,
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'ACCOUNT_NOT_FOUND', 'TRAFFIC_STOP_NOT_FOUND'],
});

export const TrafficProtection = z.object({
  account_id: z.string(),
  /** Messages from the API, SMPP, and the inbox. */
  messages: z.enum(TRAFFIC_ACTIONS),
  campaigns: z.enum(TRAFFIC_ACTIONS),
  /** A stop ends after this many hours. */
  lift_hours: z.int(),
});
export type TrafficProtection = z.output<typeof TrafficProtection>;

export const getTrafficProtection = endpoint({
  id: 'traffic_protection.get',
  method: 'GET',
  path: '/v1/traffic_protection',
  summary: 'Get the fraud protection settings for messages',
  needs: 'SMS_LIMITS:view',
  output: TrafficProtection,
  problems: [],
});

const hours = { error: problem('LIFT_HOURS_INVALID') };
const action = enumInput(TRAFFIC_ACTIONS, 'TRAFFIC_ACTION_INVALID');

export const protectionInput = z.object({
  messages: action,
  campaigns: action,
  lift_hours: z.int(hours).min(1, hours).max(MAX_STOP_HOURS, hours),
});

export const saveTrafficProtection = endpoint({
  id: 'traffic_protection.save',
  method: 'PUT',
  path: '/v1/traffic_protection',
  summary: 'Set the fraud protection settings for messages: off, notify, or block',
  needs: 'SMS_LIMITS:edit',
  body: protectionInput,
  output: TrafficProtection,
  problems: ['TRAFFIC_ACTION_INVALID', 'LIFT_HOURS_INVALID'],
});

const MODULES = ['traffic_stops', 'traffic_protection'];
/** Messages to a place show a sign of fraud. They are refused if `refuses` is true. */
export const trafficStopStarted = event({
  id: 'traffic_stop.started',
  modules: MODULES,
  needs: 'SMS_LIMITS:view',
  payload: TrafficStop,
});
/** Messages to a place are allowed again: a user lifted the stop, it expired, or the settings changed. */
export const trafficStopEnded = event({
  id: 'traffic_stop.ended',
  modules: MODULES,
  needs: 'SMS_LIMITS:view',
  payload: TrafficStop,
});
export const trafficProtectionChanged = event({
  id: 'traffic_protection.changed',
  modules: MODULES,
  needs: 'SMS_LIMITS:view',
  payload: TrafficProtection,
});
