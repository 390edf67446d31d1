import type { BindType } from '@parley/contract/smpp/smpp.ts';

export const BIND_LABELS: Readonly<Record<BindType, string>> = {
  transceiver: 'Transceiver (sends and receives)',
  transmitter: 'Transmitter (sends)',
  receiver: 'Receiver (receives)',
};

export const BIND_NAMES: Readonly<Record<BindType, string>> = {
  transceiver: 'Transceiver',
  transmitter: 'Transmitter',
  receiver: 'Receiver',
};
