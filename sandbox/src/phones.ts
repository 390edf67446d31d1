// Every number ever written to or typed is a phone. Phones stand in a linked list, latest activity first, so that a list of
// 100,000 stays cheap to keep in order while messages pour in.
import type { Chat } from './chat.ts';
import type { Submission, ThreadItem } from './message.ts';
import { type Profile, usualProfile } from './profile.ts';
import { Sequence } from './sequence.ts';

export const phoneStates = ['on', 'off', 'out_of_reach', 'full', 'reject'] as const;
export type PhoneState = (typeof phoneStates)[number];

/** A phone nobody wrote to costs nothing to forget; there are never more than this. */
const most = 300_000;

export class Phone {
  digits: string;
  state: PhoneState = 'on';
  profile: Readonly<Profile> = usualProfile;
  thread = new Sequence<ThreadItem>();
  /** What waits for the phone to be switched on; most phones never have any. */
  waiting: Set<Submission | Chat> | undefined;
  /** Grows with every change of order; the cursor of the list. */
  activity = 0;
  newer: Phone | undefined;
  older: Phone | undefined;

  constructor(digits: string) {
    this.digits = digits;
  }

  wait(message: Submission | Chat): void {
    this.waiting ??= new Set();
    this.waiting.add(message);
  }

  /** What would be forgotten with its messages, were it not written down. */
  get unusual(): boolean {
    return this.state !== 'on' || this.profile !== usualProfile;
  }

  get forgettable(): boolean {
    return this.thread.length === 0 && !this.unusual;
  }
}

export class Phones {
  #byDigits = new Map<string, Phone>();
  #newest: Phone | undefined;
  #oldest: Phone | undefined;
  #activity = 0;

  get size(): number {
    return this.#byDigits.size;
  }

  get(digits: string): Phone | undefined {
    return this.#byDigits.get(digits);
  }

  stateOf(digits: string): PhoneState {
    return this.#byDigits.get(digits)?.state ?? 'on';
  }

  /** The phone with this number, made if there is none, moved to the top of the list. */
  touch(digits: string): Phone {
    let phone = this.#byDigits.get(digits);
    if (phone) this.#unlink(phone);
    else {
      phone = new Phone(digits);
      this.#byDigits.set(digits, phone);
    }
    phone.activity = ++this.#activity;
    phone.older = this.#newest;
    if (this.#newest) this.#newest.newer = phone;
    this.#newest = phone;
    this.#oldest ??= phone;
    if (this.size > most && this.#oldest.forgettable) this.remove(this.#oldest);
    return phone;
  }

  remove(phone: Phone): void {
    this.#unlink(phone);
    this.#byDigits.delete(phone.digits);
  }

  clear(): void {
    this.#byDigits.clear();
    this.#newest = undefined;
    this.#oldest = undefined;
  }

  /** Latest activity first, only numbers that contain `search`, older than the cursor. */
  list(search: string, limit: number, after: number): { phones: Phone[]; next: number | null } {
    const phones: Phone[] = [];
    for (let phone = this.#newest; phone; phone = phone.older) {
      if (phone.activity >= after || !phone.digits.includes(search)) continue;
      if (phones.length === limit) return { phones, next: phones.at(-1)!.activity };
      phones.push(phone);
    }
    return { phones, next: null };
  }

  profileOf(digits: string): Readonly<Profile> {
    return this.#byDigits.get(digits)?.profile ?? usualProfile;
  }

  *unusual(): Generator<Phone> {
    for (const phone of this.#byDigits.values()) if (phone.unusual) yield phone;
  }

  #unlink(phone: Phone): void {
    if (phone.newer) phone.newer.older = phone.older;
    else if (this.#newest === phone) this.#newest = phone.older;
    if (phone.older) phone.older.newer = phone.newer;
    else if (this.#oldest === phone) this.#oldest = phone.newer;
    phone.newer = undefined;
    phone.older = undefined;
  }
}
