/** The columns that every table of statuses has. Screens, filters, exports, and charts read the tables. */

/**
 * The color. ok: green, succeeded. flight: blue, in progress. wait: amber, waiting or frozen. fail: red, failed or
 * rejected. off: gray, ended or idle.
 */
type Tone = 'ok' | 'flight' | 'wait' | 'fail' | 'off';

/** The name of an icon, which the web app draws. */
type StatusIcon =
  | 'alert'
  | 'ban'
  | 'check'
  | 'checks'
  | 'clock'
  | 'cross'
  | 'dashed'
  | 'paused'
  | 'pencil'
  | 'progress'
  | 'question'
  | 'returned'
  | 'send'
  | 'snowflake';

export interface StatusWord {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: StatusIcon;
}

export const statusWord = (label: string, tone: Tone, icon: StatusIcon): StatusWord => ({ label, tone, icon });
