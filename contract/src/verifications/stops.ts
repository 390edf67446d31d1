/** Number ranges and countries whose codes show signs of fraud, and whether codes to them are stopped. */
import { z } from 'zod';
import { enumInput, idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { Evidence, Figure, PUMPING_SIGNALS, type PumpingSignal } from '../guard/pumping.ts';

export const SIGNAL_WORDS: Readonly<Record<PumpingSignal, { label: string; description: string }>> = {
  unused: { label: 'Unused codes', description: 'Codes to a destination surge, and almost none are entered.' },
  conversion: { label: 'Falling conversion', description: 'Far fewer codes are entered than in previous weeks.' },
  consecutive: { label: 'Consecutive numbers', description: 'Codes are requested for a run of consecutive numbers.' },
  concentration: {
    label: 'Codes concentrated on one range',
    description: 'One number range suddenly gets most of the codes.',
  },
  growth: { label: 'Sudden growth', description: 'Codes exceed the busiest hour of the last 15 days many times over.' },
};

export const SIGNAL_ACTIONS = ['off', 'notify', 'stop'] as const;
export type SignalAction = (typeof SIGNAL_ACTIONS)[number];
export const DEFAULT_ACTIONS: Readonly<Record<PumpingSignal, SignalAction>> = {
  unused: 'stop',
  conversion: 'notify',
  consecutive: 'notify',
  concentration: 'notify',
  growth: 'notify',
};
export const DEFAULT_LIFT_HOURS = 24;
export const MAX_LIFT_HOURS = 720;

export const VerificationStop = z.object({
  id: z.string(),
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
  /** False if the account was only notified, and codes are still sent. */
  refuses: z.boolean(),
  /** Number of unused codes in the hour of the stop. */
  sends: z.int(),
  /** Number of unused codes in the busiest hour of the preceding week. */
  usual: z.int(),
  stop_date: timestamp,
  /** When codes are allowed again. Null if only a user can allow them. */
  expire_date: timestamp.nullable(),
});
export type VerificationStop = z.output<typeof VerificationStop>;

export const listVerificationStops = endpoint({
  id: 'verifications.list_stops',
  method: 'GET',
  path: '/v1/verifications/stops',
  summary: 'List the number ranges and countries with signs of fraud, and whether they get codes, newest first',
  needs: 'MESSAGES:view',
  output: z.array(VerificationStop),
  problems: [],
});

export const removeVerificationStop = endpoint({
  id: 'verifications.remove_stop',
  method: 'DELETE',
  path: '/v1/verifications/stops/{id}',
  summary: 'Allow codes to a number range or country again',
  needs: 'MESSAGES:edit',
  audience: 'session',
  params: idParams('VERIFICATION_STOP_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['VERIFICATION_STOP_NOT_FOUND'],
});

const hours = { error: problem('LIFT_HOURS_INVALID') };
const action = enumInput(SIGNAL_ACTIONS, 'SIGNAL_ACTION_INVALID');
const actions = z.object({
  unused: action,
  conversion: action,
  consecutive: action,
  concentration: action,
  growth: action,
});
export const FraudProtection = z.object({
  account_id: z.string(),
  actions: z.object({
    unused: z.enum(SIGNAL_ACTIONS),
    conversion: z.enum(SIGNAL_ACTIONS),
    consecutive: z.enum(SIGNAL_ACTIONS),
    concentration: z.enum(SIGNAL_ACTIONS),
    growth: z.enum(SIGNAL_ACTIONS),
  }),
  /** A stop ends after this many hours, or earlier if people enter the codes. */
  lift_hours: z.int(),
});
export type FraudProtection = z.output<typeof FraudProtection>;

export const getFraudProtection = endpoint({
  id: 'verifications.get_protection',
  method: 'GET',
  path: '/v1/verifications/protection',
  summary: 'Get the fraud protection settings for verification codes',
  needs: 'MESSAGES:view',
  output: FraudProtection,
  problems: [],
});

export const codeProtectionInput = z.object({
  actions,
  lift_hours: z.int(hours).min(1, hours).max(MAX_LIFT_HOURS, hours),
});

export const saveFraudProtection = endpoint({
  id: 'verifications.save_protection',
  method: 'PUT',
  path: '/v1/verifications/protection',
  summary: 'Set the action for each sign of fraud: none, notify the owners, or stop codes to the destination',
  needs: 'MESSAGES:edit',
  body: codeProtectionInput,
  output: FraudProtection,
  problems: ['SIGNAL_ACTION_INVALID', 'LIFT_HOURS_INVALID'],
});

/** Codes to a place show a sign of fraud. They are refused if `refuses` is true. */
export const codeStopStarted = event({
  id: 'code_stop.started',
  modules: ['verifications'],
  needs: 'MESSAGES:view',
  payload: VerificationStop,
});
/** Codes to a place are allowed again: a user allowed them, the stop expired, or people entered them. */
export const codeStopEnded = event({
  id: 'code_stop.ended',
  modules: ['verifications'],
  needs: 'MESSAGES:view',
  payload: VerificationStop,
});
