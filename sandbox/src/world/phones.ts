/**
 * Every number that received a message or was entered on the page is a phone. A linked list orders the phones by their
 * latest activity, which is cheap even with 100,000 phones.
 */
import { Sequence } from '../storage/sequence.ts';
import type { Chat } from './chat.ts';
import type { Submission, ThreadItem } from './message.ts';
import { defaultProfile, type Profile } from './profile.ts';

export const phoneStates = ['on', 'off', 'out_of_reach', 'full', 'reject'] as const;
export type PhoneState = (typeof phoneStates)[number];

/** If there are more phones than this, the oldest one without messages is removed. */
const maxPhones = 300_000;

export class Phone {
  readonly digits: string;
  state: PhoneState = 'on';
  profile: Readonly<Profile> = defaultProfile;
  readonly thread = new Sequence<ThreadItem>();
  /** Messages waiting until the phone is turned on. Most phones never have any. */
  waiting: Set<Submission | Chat> | undefined;
  /** Increases with every activity and serves as the cursor for the list. */
  activity = 0;
  newer: Phone | undefined;
  older: Phone | undefined;

  constructor(digits: string) {
    this.digits = digits;
  }

  addWaiting(message: Submission | Chat): void {
    this.waiting ??= new Set();
    this.waiting.add(message);
  }

  /** Whether the phone has a state or a profile that must be stored. */
  get customized(): boolean {
    return this.state !== 'on' || this.profile !== defaultProfile;
  }

  get removable(): boolean {
    return this.thread.length === 0 && !this.customized;
  }
}

export class Phones {
  private readonly byDigits = new Map<string, Phone>();
  private newest: Phone | undefined;
  private oldest: Phone | undefined;
  private activity = 0;

  get size(): number {
    return this.byDigits.size;
  }

  get(digits: string): Phone | undefined {
    return this.byDigits.get(digits);
  }

  getState(digits: string): PhoneState {
    return this.byDigits.get(digits)?.state ?? 'on';
  }

  /** Returns the phone with this number, creating it if needed, and moves it to the top of the list. */
  touch(digits: string): Phone {
    let phone = this.byDigits.get(digits);
    if (phone) this.unlink(phone);
    else {
      phone = new Phone(digits);
      this.byDigits.set(digits, phone);
    }
    phone.activity = ++this.activity;
    phone.older = this.newest;
    if (this.newest) this.newest.newer = phone;
    this.newest = phone;
    this.oldest ??= phone;
    if (this.size > maxPhones && this.oldest.removable) this.remove(this.oldest);
    return phone;
  }

  remove(phone: Phone): void {
    this.unlink(phone);
    this.byDigits.delete(phone.digits);
  }

  clear(): void {
    this.byDigits.clear();
    this.newest = undefined;
    this.oldest = undefined;
  }

  /** Lists the phones whose numbers contain `search`, latest activity first, starting at the cursor. */
  list(search: string, limit: number, after: number): { phones: Phone[]; next: number | null } {
    const phones: Phone[] = [];
    for (let phone = this.newest; phone; phone = phone.older) {
      if (phone.activity >= after || !phone.digits.includes(search)) continue;
      if (phones.length === limit) return { phones, next: phones.at(-1)!.activity };
      phones.push(phone);
    }
    return { phones, next: null };
  }

  getProfile(digits: string): Readonly<Profile> {
    return this.byDigits.get(digits)?.profile ?? defaultProfile;
  }

  /** Yields the phones whose state or profile must be stored. */
  *customized(): Generator<Phone> {
    for (const phone of this.byDigits.values()) if (phone.customized) yield phone;
  }

  private unlink(phone: Phone): void {
    if (phone.newer) phone.newer.older = phone.older;
    else if (this.newest === phone) this.newest = phone.older;
    if (phone.older) phone.older.newer = phone.newer;
    else if (this.oldest === phone) this.oldest = phone.newer;
    phone.newer = undefined;
    phone.older = undefined;
  }
}
