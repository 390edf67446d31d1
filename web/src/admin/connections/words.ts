/** Labels for the options in a connection's settings, shared by the form and the panel. */
export interface Choice {
  value: string;
  label: string;
}

export const BIND_MODES: readonly Choice[] = [
  { value: 'transceiver', label: 'Transceiver' },
  { value: 'separate', label: 'Transmitter and receiver' },
];
export const MULTIPART: readonly Choice[] = [
  { value: 'udh8', label: 'UDH, 8-bit reference' },
  { value: 'udh16', label: 'UDH, 16-bit reference' },
  { value: 'sar', label: 'SAR parameters' },
  { value: 'payload', label: 'Unsplit in message_payload' },
];
export const ALPHABETS: readonly Choice[] = [
  { value: 'gsm7', label: 'GSM-7' },
  { value: 'latin1', label: 'Latin-1' },
  { value: 'ascii', label: 'ASCII' },
];
export const ID_FORMATS: readonly Choice[] = [
  { value: 'text', label: 'Same in response and receipt' },
  { value: 'hex_to_decimal', label: 'Hexadecimal response, decimal receipt' },
  { value: 'decimal_to_hex', label: 'Decimal response, hexadecimal receipt' },
];
export const POLICIES: readonly Choice[] = [
  { value: 'fail', label: 'Fail the message and release its hold' },
  { value: 'resend', label: 'Send the message again' },
];

/** Help text for a secret that is already stored. */
export const KEEP_SECRET = 'Leave empty to keep the current value.';

export const choiceLabel = (choices: readonly Choice[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;
