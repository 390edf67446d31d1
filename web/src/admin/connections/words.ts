/** The choices of a connection, in words: the same in the form and in the panel. */
export interface Choice {
  value: string;
  label: string;
}

export const ADAPTERS: readonly Choice[] = [
  { value: 'smpp', label: 'SMS over SMPP 3.4' },
  { value: 'whatsapp', label: 'WhatsApp Cloud API' },
  { value: 'viber', label: 'Viber business messages' },
];
export const BIND_MODES: readonly Choice[] = [
  { value: 'transceiver', label: 'One for both directions' },
  { value: 'separate', label: 'Transmitter and receiver' },
];
export const MULTIPART: readonly Choice[] = [
  { value: 'udh8', label: 'Header, 8-bit reference' },
  { value: 'udh16', label: 'Header, 16-bit reference' },
  { value: 'sar', label: 'SAR parameters' },
  { value: 'payload', label: 'Whole in message_payload' },
];
export const ALPHABETS: readonly Choice[] = [
  { value: 'gsm7', label: 'GSM-7' },
  { value: 'latin1', label: 'Latin-1' },
  { value: 'ascii', label: 'ASCII' },
];
export const ID_FORMATS: readonly Choice[] = [
  { value: 'text', label: 'The same in answer and receipt' },
  { value: 'hex_to_decimal', label: 'Hexadecimal answer, decimal receipt' },
  { value: 'decimal_to_hex', label: 'Decimal answer, hexadecimal receipt' },
];
export const POLICIES: readonly Choice[] = [
  { value: 'fail', label: 'Give up and return the money' },
  { value: 'resend', label: 'Send once more' },
];

export const wordOf = (choices: readonly Choice[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;
