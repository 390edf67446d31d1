/** The registry of access views. */
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import type { AccessView } from './access_view.ts';
import { viber } from './viber/access.tsx';
import { whatsapp } from './whatsapp/access.tsx';

export const ACCESS_VIEWS: Readonly<Record<AccessKind, AccessView>> = { whatsapp, viber };
