/** An example of a preset's API, and the values that all examples share. */
import type { Incoming, Report } from '../../channel.ts';
import { CALLBACK, type Fields, SECRET } from './table.ts';

export interface PresetExample {
  /** The pages that contain the shapes. `null` if the provider publishes none. */
  sources: Readonly<Record<'request' | 'refused' | 'receipt' | 'inbound', string | null>>;
  /** The header with the key, and its value. */
  key: [name: string, value: string];
  /** The fields of the JSON or the form. */
  fields: Fields;
  accepted: [response: unknown, id: string];
  refused: [status: number, response: unknown, reason: string] | null;
  /** How the provider sends callbacks: JSON or a form, or receipts as a query that it adds to the URL. */
  callbacks: 'json' | 'form';
  receipts?: 'query';
  receipt: [callback: Fields, report: Partial<Report>];
  inbound: [callback: Fields, message: Partial<Incoming>] | null;
}

export const KEY = 'live_8Fq2Zt';
export const ACCOUNT = 'acme';
/** The callback URL of a message. */
export const callback_url = `${CALLBACK}?reference=4711&key=${SECRET}`;
