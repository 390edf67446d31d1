/** The targets of the inbox: how soon conversations get a first reply and are closed. */
import { z } from 'zod';
import { range, timestamp } from '../common.ts';

export const RESPONSE_TARGET_MAX_MINUTES = 7 * 1_440;
export const RESOLUTION_TARGET_MAX_MINUTES = 30 * 1_440;
/** A conversation is due soon if one of its targets is due within this time. */
export const DUE_SOON_MINUTES = 60;

export const responseTarget = range(1, RESPONSE_TARGET_MAX_MINUTES).nullable();
export const resolutionTarget = range(1, RESOLUTION_TARGET_MAX_MINUTES).nullable();

export const TARGETS = ['response', 'resolution'] as const;
export type Target = (typeof TARGETS)[number];

/** Conversations that have missed a target, or that are due within an hour. */
export const DUE_STATES = ['overdue', 'soon'] as const;
export type DueState = (typeof DUE_STATES)[number];

/** The clocks of an open conversation. */
export const Clocks = z.object({
  /** When the first reply is due. Null if there is no target, the contact has not written, or a user has replied. */
  response_due: timestamp.nullable(),
  /** When the conversation must be closed. Null if there is no target, or the clock is paused. */
  resolution_due: timestamp.nullable(),
  /** True while the conversation is snoozed or pending, unless its resolution is overdue. */
  paused: z.boolean(),
});
export type Clocks = z.output<typeof Clocks>;
