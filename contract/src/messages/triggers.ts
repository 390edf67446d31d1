/** The names of triggers and of steps, apart from the rules for fallbacks: lists and logs need only the names. */

/**
 * The condition that triggers a fallback: the message is not delivered in time, is not read in time, or has failed. A
 * failure always triggers it.
 */
export const TRIGGERS = ['undelivered', 'unread', 'failed'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * skipped: the step could not be sent. not_needed: another step was delivered, the message expired, or it was canceled.
 */
export const FALLBACK_STEP_STATES = ['waiting', 'in_effect', 'passed_on', 'skipped', 'not_needed'] as const;
export type FallbackStepState = (typeof FALLBACK_STEP_STATES)[number];
