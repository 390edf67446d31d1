/** Requests of customers in the operators' words. */

import type { InventoryNumber } from '@parley/contract/numbers.ts';
import type { RequestKind } from '@parley/contract/sender_registration.ts';
import type { SenderRequest } from '@parley/contract/sender_requests.ts';
import { IconBan, IconCheck, IconClock, IconHelp, IconX } from '@tabler/icons-react';
import type { StatusLook } from '../ui/status.ts';

export const REQUEST_KIND_WORDS: Readonly<Record<RequestKind, string>> = {
  sender_id: 'Sender ID',
  short_code: 'Short code',
  toll_free: 'Toll-free',
  tcr: '10DLC',
  whatsapp: 'WhatsApp',
  viber: 'Viber',
};
export const REQUEST_LOOKS: Readonly<Record<string, StatusLook>> = {
  in_process: { label: 'Waiting', tone: 'wait', icon: IconClock },
  asked: { label: 'Asked', tone: 'flight', icon: IconHelp },
  completed: { label: 'Approved', tone: 'ok', icon: IconCheck },
  canceled: { label: 'Rejected', tone: 'fail', icon: IconX },
  deleted: { label: 'Withdrawn', tone: 'off', icon: IconBan },
};
export const requestState = ({ status, asked }: Pick<SenderRequest, 'status' | 'asked'>): string =>
  status === 'IN_PROCESS' && asked ? 'asked' : status;

export const NUMBER_LOOKS: Readonly<Record<InventoryNumber['status'], StatusLook>> = {
  free: { label: 'Free', tone: 'ok', icon: IconCheck },
  taken: { label: 'Taken', tone: 'flight', icon: IconCheck },
  cooling: { label: 'Resting', tone: 'wait', icon: IconClock },
  retired: { label: 'Retired', tone: 'off', icon: IconBan },
};
export const NUMBER_TYPE_WORDS: Readonly<Record<InventoryNumber['type'], string>> = {
  local: 'Local',
  mobile: 'Mobile',
  toll_free: 'Toll-free',
};
export const NUMBER_TYPES = Object.entries(NUMBER_TYPE_WORDS).map(([value, label]) => ({ value, label }));
