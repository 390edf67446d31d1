/** The interface of lookup providers. An adapter speaks one HTTP API; it neither reads the database nor retries. */
import type { LINE_TYPES, LIVE_STATUSES, LookupStatus } from '@parley/contract/lookups/lookups.ts';

export interface LookupResult {
  /** Digits with the country code. */
  number: string;
  status: Exclude<LookupStatus, 'pending'>;
  live_status: (typeof LIVE_STATUSES)[number] | null;
  /** The network that the number was assigned to. */
  network: string | null;
  /** The network that the number belongs to now. */
  operator: string | null;
  line_type: (typeof LINE_TYPES)[number] | null;
  ported: boolean | null;
  mccmnc: string | null;
}

interface LookupRequest {
  numbers: readonly string[];
  /** The URL to which a provider posts results that it does not return immediately. */
  callback_url: string;
  signal: AbortSignal;
}

export interface LookupProvider {
  readonly name: string;
  /** The maximum count of phone numbers in one request. */
  readonly batch: number;
  /** Returns the results, or null if they arrive by callback. Throws if the provider did not take the request. */
  request(request: LookupRequest): Promise<LookupResult[] | null>;
  /** Reads the results in a callback. Throws if the body is not in the provider's format. */
  readCallback?(body: unknown): LookupResult[];
}

export interface ProviderAccess {
  url: string;
  secret: string;
}

export const unknownResult = (number: string): LookupResult => ({
  number,
  status: 'unknown',
  live_status: null,
  network: null,
  operator: null,
  line_type: null,
  ported: null,
  mccmnc: null,
});
