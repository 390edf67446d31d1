/**
 * The business account: its numbers with their registration, verification, and names, and its webhook subscription. All
 * of it survives a reset.
 */
import { createHash, randomInt } from 'node:crypto';
import type { Facts } from '../storage/facts.ts';
import { GraphError, invalidParameter, invalidValue, noSuchObject } from './graph/graph_error.ts';

export interface WhatsappConfig {
  token: string;
  app_secret: string;
  app_id: string;
  waba_id: string;
}

export const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;
export const nameStatuses = ['APPROVED', 'PENDING_REVIEW', 'DECLINED'] as const;

export interface WhatsappNumber {
  id: string;
  digits: string;
  /** The length of the country code. */
  cc: number;
  verified_name: string;
  name_status: (typeof nameStatuses)[number];
  status: 'PENDING' | 'CONNECTED' | 'DISCONNECTED';
  verified: boolean;
  /** The verification code that was requested but not yet entered. */
  code: string | null;
  /** The times when codes were requested, and the number of wrong codes entered since the last request. */
  asked?: number[];
  wrong?: number;
  pin: string | null;
  quality_rating: (typeof qualities)[number];
  created: number;
}

interface Subscription {
  callback: string | null;
}

const day = 24 * 3_600_000;
const maxCodesPerDay = 10;
const maxWrongCodes = 10;
const prefix = 'whatsapp:number:';
const subscriptionKey = 'whatsapp:subscription';

export class Account {
  readonly config: WhatsappConfig;
  private readonly facts: Facts;

  constructor(config: WhatsappConfig, facts: Facts) {
    this.config = config;
    this.facts = facts;
  }

  numbers(): WhatsappNumber[] {
    return this.facts.list<WhatsappNumber>(prefix);
  }

  number(id: string): WhatsappNumber | undefined {
    return this.facts.get(`${prefix}${id}`);
  }

  /** Finds a number by its ID or its digits. */
  find(idOrDigits: string): WhatsappNumber | undefined {
    return this.number(idOrDigits) ?? this.numbers().find(({ digits }) => digits === idOrDigits);
  }

  create(cc: string, phone_number: string, verified_name: string): WhatsappNumber {
    const digits = cc + phone_number;
    if (!/^[1-9]\d{0,2}$/.test(cc)) throw invalidParameter('cc must be a country calling code');
    if (!/^\d{4,14}$/.test(phone_number) || digits.length > 15) {
      throw invalidParameter('phone_number must be the national number, digits only');
    }
    const name = verified_name.trim();
    if (name.length < 3 || name.length > 75) throw invalidParameter('verified_name must have 3 to 75 characters');
    if (this.numbers().some((number) => number.digits === digits)) {
      throw invalidParameter('The number is already in use', {
        subcode: 2388012,
        user_title: 'Number already in use',
        user_message: 'This number is already registered with a WhatsApp Business account.',
      });
    }
    const number: WhatsappNumber = {
      id: stableId(`number ${digits}`),
      digits,
      cc: cc.length,
      verified_name: name,
      name_status: 'PENDING_REVIEW',
      status: 'PENDING',
      verified: false,
      code: null,
      pin: null,
      quality_rating: 'GREEN',
      created: Date.now(),
    };
    this.put(number);
    return number;
  }

  put(number: WhatsappNumber): void {
    this.facts.put(`${prefix}${number.id}`, number);
  }

  remove(id: string): void {
    this.facts.remove(`${prefix}${id}`);
  }

  /** Returns the new code, which the caller must send to the number. */
  requestCode(number: WhatsappNumber, method: string, language: string): string {
    if (method !== 'SMS' && method !== 'VOICE') throw invalidValue('code_method must be SMS or VOICE');
    if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)) throw invalidValue('language must be a language code like en_US');
    if (number.verified) throw new GraphError(136024, 'This number is already verified');
    const asked = (number.asked ?? []).filter((at) => at > Date.now() - day);
    if (asked.length >= maxCodesPerDay)
      throw new GraphError(136024, 'Too many codes were requested', {
        user_title: 'Request limit reached',
        user_message: 'Too many codes were requested for this number. Wait a day and try again.',
      });
    const code = String(randomInt(100_000, 1_000_000));
    this.put({ ...number, code, asked: [...asked, Date.now()], wrong: 0 });
    return code;
  }

  verifyCode(number: WhatsappNumber, code: string): void {
    if (number.code === null) throw new GraphError(136025, 'No code was requested for this number');
    if (code.replace('-', '') !== number.code) {
      const wrongCodes = (number.wrong ?? 0) + 1;
      this.put({ ...number, wrong: wrongCodes, code: wrongCodes >= maxWrongCodes ? null : number.code });
      throw new GraphError(136025, 'The code does not match the one that was sent', {
        user_title: 'Wrong code',
        user_message:
          wrongCodes >= maxWrongCodes
            ? 'Too many wrong codes. Request a new one.'
            : 'The code does not match the one that was sent.',
      });
    }
    this.put({ ...number, code: null, verified: true });
  }

  register(number: WhatsappNumber, pin: string, verification_required: boolean): void {
    if (!/^\d{6}$/.test(pin)) throw invalidValue('pin must have 6 digits');
    if (verification_required && !number.verified) {
      throw new GraphError(133006, 'Verify the number with a code before you register it');
    }
    if (number.pin !== null && number.pin !== pin)
      throw new GraphError(133005, 'The PIN does not match the PIN of this number');
    this.put({ ...number, pin, verified: true, status: 'CONNECTED' });
  }

  deregister(number: WhatsappNumber): void {
    if (number.status !== 'CONNECTED') throw new GraphError(133010, 'The number is not registered');
    this.put({ ...number, status: 'DISCONNECTED' });
  }

  get subscription(): Subscription | undefined {
    return this.facts.get<Subscription>(subscriptionKey);
  }

  /** Performs the real handshake: the callback URL must return the challenge. */
  async subscribe(callback: string | undefined, verify_token: string | undefined): Promise<void> {
    if (callback === undefined) {
      this.facts.put(subscriptionKey, { callback: null } satisfies Subscription);
      return;
    }
    if (!/^https?:\/\/\S+$/.test(callback)) throw invalidParameter('override_callback_uri must be a web address');
    if (!verify_token) throw invalidParameter('verify_token is required with override_callback_uri');
    await shakeHands(callback, verify_token);
    this.facts.put(subscriptionKey, { callback } satisfies Subscription);
  }

  unsubscribe(): void {
    this.facts.remove(subscriptionKey);
  }

  toJson(number: WhatsappNumber, throughput: number, messaging_limit: number): Record<string, unknown> {
    return {
      id: number.id,
      display_phone_number: displayNumber(number),
      verified_name: number.verified_name,
      name_status: number.name_status,
      code_verification_status: number.verified ? 'VERIFIED' : 'NOT_VERIFIED',
      quality_rating: number.quality_rating,
      quality_score: { score: number.quality_rating },
      status: number.status,
      platform_type: number.status === 'CONNECTED' ? 'CLOUD_API' : 'NOT_APPLICABLE',
      throughput: { level: throughput === 0 || throughput >= 1000 ? 'HIGH' : 'STANDARD' },
      whatsapp_business_manager_messaging_limit: limitTier(messaging_limit),
      messaging_limit_tier: limitTier(messaging_limit),
      is_pin_enabled: number.pin !== null,
      account_mode: 'LIVE',
    };
  }
}

export const displayNumber = ({ digits, cc }: WhatsappNumber): string => `+${digits.slice(0, cc)} ${digits.slice(cc)}`;

export const tierOrder = ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'];

export function limitTier(limit: number): string {
  if (limit === 0) return 'TIER_UNLIMITED';
  if (limit < 2_000) return 'TIER_250';
  if (limit < 10_000) return 'TIER_2K';
  return limit < 100_000 ? 'TIER_10K' : 'TIER_100K';
}

/**
 * Returns 15 digits that are always the same for the same name, so that a number that is added again gets its earlier
 * ID.
 */
export function stableId(name: string): string {
  const hash = createHash('sha256').update(name).digest();
  return String(1e14 + (hash.readUIntBE(0, 6) % 9e14));
}

async function shakeHands(callback: string, verify_token: string): Promise<void> {
  const challenge = String(randomInt(1_000_000_000));
  const address = new URL(callback);
  address.searchParams.set('hub.mode', 'subscribe');
  address.searchParams.set('hub.challenge', challenge);
  address.searchParams.set('hub.verify_token', verify_token);
  const refused = (reason: string) =>
    new GraphError(2200, `Callback verification failed with the following errors: ${reason}`);
  let response: Response;
  try {
    response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw refused(`the address cannot be reached: ${cause?.code ?? message}`);
  }
  const body = await response.text();
  if (response.status !== 200)
    throw refused(`HTTP Status Code = ${response.status}; HTTP Message = ${response.statusText}`);
  if (body.trim() !== challenge) throw refused('the response is not the challenge');
}

/** Throws the real API's error if the ID does not belong to a number in this account. */
export function requireNumber(account: Account, id: string): WhatsappNumber {
  const number = account.number(id);
  if (!number) throw noSuchObject(id);
  return number;
}
