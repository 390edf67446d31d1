/**
 * The meaning of each status of submit_sm_resp (SMPP 3.4, 5.1.3). Codes that are not listed are specific to one
 * carrier. They are treated as refusals that are worth a few retries.
 */
import { STATUS, statusName } from '@parley/smpp/pdu.ts';
import type { FailureKind, SendFailure } from '../channel.ts';

const KINDS: readonly [FailureKind, readonly (keyof typeof STATUS)[]][] = [
  ['throttled', ['ESME_RTHROTTLED', 'ESME_RMSGQFUL']],
  // The bind is in the wrong state; the message itself is valid.
  [
    'connection',
    ['ESME_RINVBNDSTS', 'ESME_RALYBND', 'ESME_RBINDFAIL', 'ESME_RINVPASWD', 'ESME_RINVSYSID', 'ESME_RINVSYSTYP'],
  ],
  [
    'rejected',
    [
      'ESME_RINVSRCADR',
      'ESME_RINVDSTADR',
      'ESME_RINVSRCTON',
      'ESME_RINVSRCNPI',
      'ESME_RINVDSTTON',
      'ESME_RINVDSTNPI',
      'ESME_RX_P_APPN',
      'ESME_RX_R_APPN',
      'ESME_RSERTYPUNAUTH',
      'ESME_RPROHIBITED',
      'ESME_RSERTYPUNAVAIL',
      'ESME_RSERTYPDENIED',
    ],
  ],
  [
    'invalid',
    [
      'ESME_RINVMSGLEN',
      'ESME_RINVCMDLEN',
      'ESME_RINVCMDID',
      'ESME_RINVPRTFLG',
      'ESME_RINVREGDLVFLG',
      'ESME_RINVSERTYP',
      'ESME_RINVESMCLASS',
      'ESME_RINVREPFLAG',
      'ESME_RINVSCHED',
      'ESME_RINVEXPIRY',
      'ESME_RINVDFTMSGID',
      'ESME_RINVOPTPARSTREAM',
      'ESME_ROPTPARNOTALLWD',
      'ESME_RINVPARLEN',
      'ESME_RMISSINGOPTPARAM',
      'ESME_RINVOPTPARAMVAL',
      'ESME_RINVDCS',
    ],
  ],
];

const KIND = new Map<number, FailureKind>(
  KINDS.flatMap(([kind, names]) => names.map((name) => [STATUS[name], kind] as const)),
);

const WORDS: Record<FailureKind, string> = {
  connection: 'The carrier cannot accept messages right now',
  throttled: 'The carrier is limiting the message rate',
  rejected: 'The carrier rejected the message',
  invalid: 'The carrier could not read the message',
  config: 'The connection is not set up for this message',
  opted_out: 'The recipient has opted out',
  unknown: 'The carrier did not respond',
};

export const statusCode = (status: number): string => `0x${status.toString(16).toUpperCase().padStart(2, '0')}`;

/** Returns null for success. */
export function toFailure(status: number): SendFailure | null {
  if (status === STATUS.ESME_ROK) return null;
  const kind = KIND.get(status);
  const text = `${WORDS[kind ?? 'connection']} (${statusName(status)})`;
  const failure = { kind: kind ?? 'connection', code: statusCode(status), text };
  return kind ? failure : { ...failure, limited: true };
}

export const unanswered = (text: string): SendFailure => ({
  kind: 'unknown',
  code: '',
  text: `${WORDS.unknown} (${text})`,
});
export const unsent = (text: string): SendFailure => ({
  kind: 'connection',
  code: '',
  text: `Not sent yet: ${text}`,
});
