import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { CHANNEL_LABELS, type ChannelName } from '@parley/contract/channels/names.ts';

/** The title of the wizard that requests access. The routes of every page use it, so it loads no channel's view. */
export const accessTitle = (kind: AccessKind): string =>
  `Get access to ${CHANNEL_LABELS[kind.toUpperCase() as ChannelName]}`;
