/** Labels for the options in a connection's settings, shared by the form and the panel. */
import type { Failure } from '@parley/contract/messages/messages.ts';
import { countryName } from '../../ui/form/countries.ts';

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
  { value: 'text', label: 'Same text in response and receipt' },
  { value: 'decimal', label: 'Decimal in both, ignoring leading zeros' },
  { value: 'hex', label: 'Hexadecimal in both, ignoring case and leading zeros' },
  { value: 'hex_to_decimal', label: 'Hexadecimal response, decimal receipt' },
  { value: 'decimal_to_hex', label: 'Decimal response, hexadecimal receipt' },
];
export const CAPACITIES: readonly Choice[] = [
  { value: '140', label: '140 characters' },
  { value: '160', label: '160 characters, packed by the carrier' },
];
export const VALIDITIES: readonly Choice[] = [
  { value: 'relative', label: 'Relative (a period)' },
  { value: 'absolute', label: 'Absolute (a point in time)' },
  { value: 'none', label: 'Not sent' },
];
export const PREFIXES: readonly Choice[] = [
  { value: 'none', label: 'Digits only' },
  { value: 'plus', label: 'Leading +' },
  { value: 'zeros', label: 'Leading 00' },
];
export const POLICIES: readonly Choice[] = [
  { value: 'fail', label: 'Fail the message and release its hold' },
  { value: 'resend', label: 'Send the message again' },
];

/** Help text for a secret that is already stored. */
export const KEEP_SECRET = 'Leave empty to keep the current value.';

/** The settings that a connection test can propose, with their labels from the form. */
const SETTINGS: Readonly<Record<string, { label: string; choices?: readonly Choice[] }>> = {
  id_format: { label: 'Message IDs', choices: ID_FORMATS },
  utc_offset_minutes: { label: 'UTC offset in receipts' },
  echoes_reference: { label: 'Message reference in receipts' },
  country: { label: 'Country for national numbers' },
  validity: { label: 'Validity period', choices: VALIDITIES },
  service_type: { label: 'Service type' },
};
export const settingLabel = (setting: string): string => SETTINGS[setting]?.label ?? setting;

export function settingValue(setting: string, value: string | number | boolean | null): string {
  if (value === null || value === '') return 'Not set';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (setting === 'utc_offset_minutes') return clockLabel(Number(value));
  if (setting === 'country') return countryName(String(value));
  return choiceLabel(SETTINGS[setting]?.choices ?? [], String(value));
}

/** "UTC+5:30" */
export function clockLabel(minutes: number): string {
  const distance = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(distance / 60)}:${String(distance % 60).padStart(2, '0')}`;
}

export const choiceLabel = (choices: readonly Choice[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;

/** The kinds of failures, and what each means for a message that customers send. */
export const FAILURE_KINDS: Readonly<Record<Failure, { label: string; effect: string }>> = {
  connection: { label: 'Not accepted', effect: 'Messages wait, then are retried or take another route.' },
  throttled: { label: 'Throttled', effect: 'Messages wait, then are retried more slowly.' },
  rejected: { label: 'Rejected', effect: 'The message is rejected and not sent again.' },
  invalid: { label: 'Invalid request', effect: 'The message fails. Check the settings of the request.' },
  config: { label: 'Wrong settings', effect: 'The message fails. Check the settings and the sender.' },
  opted_out: { label: 'Opted out', effect: 'The message is not sent, because the recipient has opted out.' },
  unknown: { label: 'Unknown outcome', effect: 'The provider may have the message, so it is not resent right away.' },
  expired: { label: 'Expired', effect: 'The message expires.' },
};
