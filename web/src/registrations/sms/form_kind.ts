import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import type { RequestKind } from '@parley/contract/registrations/registration.ts';

/** Requests that consist of sections. WhatsApp and Viber requests have a separate wizard. */
export type FormKind = Exclude<RequestKind, AccessKind>;
