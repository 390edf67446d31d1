/** The look of a status: a word, a color, and a picture. The contract's tables say which status has which. */
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconClock,
  IconHelp,
  IconPencil,
  IconPlayerPause,
  IconProgress,
  type IconProps,
  IconRefresh,
  IconSend,
  IconSnowflake,
  IconX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/**
 * ok: green, succeeded. flight: blue, in progress. wait: amber, waiting or frozen. fail: red, failed or rejected. off:
 * gray, ended or idle.
 */
export type Tone = 'ok' | 'flight' | 'wait' | 'fail' | 'off' | 'accent';

export const STATUS_ICONS = {
  alert: IconAlertTriangle,
  ban: IconBan,
  check: IconCheck,
  checks: IconChecks,
  clock: IconClock,
  cross: IconX,
  dashed: IconCircleDashed,
  paused: IconPlayerPause,
  pencil: IconPencil,
  progress: IconProgress,
  question: IconHelp,
  returned: IconRefresh,
  send: IconSend,
  snowflake: IconSnowflake,
} satisfies Record<string, ComponentType<IconProps>>;

export interface StatusWord {
  label: string;
  tone: Tone;
  icon: keyof typeof STATUS_ICONS;
}
