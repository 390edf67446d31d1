/** Where the pages of senders live. */
import type { RequestKind } from '@parley/contract/registrations/registration.ts';

export const SENDERS = '/senders';
export const CREATE = '/senders/create-sender';
export const BUY = '/senders/buy-number';
export const EDIT = '/senders/edit-sender';
export const ADD_CHANNEL = '/add-channel';
export const REQUESTS: Readonly<Record<RequestKind, string>> = {
  sender_id: '/senders/request-sender-id',
  short_code: '/senders/request-short-code',
  toll_free: '/senders/request-toll-free',
  tcr: '/senders/tcr-registration',
  whatsapp: `${ADD_CHANNEL}/whatsapp`,
  viber: `${ADD_CHANNEL}/viber`,
};
export const TABS = ['senders', 'numbers', 'short_codes'] as const;
export type Tab = (typeof TABS)[number];
/** For a link with a query of its own. */
export const linkTo = (to: string, search: Record<string, string>) => ({ to, search: search as never });
