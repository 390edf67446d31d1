import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import type { RequestKind } from '@parley/contract/registrations/registration.ts';

/** Those that consist of sections; WhatsApp and Viber have a wizard of their own. */
export type FormKind = Exclude<RequestKind, AccessKind>;
