/**
 * Formats phone numbers internationally. The numbering rules (20 KiB) load after the page; until then numbers are shown
 * as digits.
 */
import { useSyncExternalStore } from 'react';

interface ParsedPhone {
  text: string;
  country: string | null;
}

type Parse = (
  text: string,
) => { formatInternational(): string; country?: string; getPossibleCountries(): string[] } | undefined;

let parse: Parse | null = null;
let loading = false;
const listeners = new Set<() => void>();
const cache = new Map<string, ParsedPhone>();

async function load(): Promise<void> {
  if (loading) return;
  loading = true;
  try {
    parse = (await import('libphonenumber-js/min')).parsePhoneNumberFromString as Parse;
    for (const listener of listeners) listener();
  } catch {
    // The digits stay visible. Loading the rules is retried with the next number on a page.
    loading = false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!parse) void load();
  return () => listeners.delete(listener);
}

/** Parses a phone number. Short codes and names are returned unchanged. */
export function parsePhone(number: string): ParsedPhone {
  const digits = number.replace(/[^\d]/g, '');
  if (digits.length < 7 || /[a-z]/i.test(number)) return { text: number, country: null };
  if (!parse) return { text: `+${digits}`, country: null };
  const cached = cache.get(digits);
  if (cached) return cached;
  const parsed = parse(`+${digits}`);
  const phone = {
    text: parsed?.formatInternational() ?? `+${digits}`,
    country: parsed?.country ?? parsed?.getPossibleCountries()[0] ?? null,
  };
  if (cache.size > 5_000) cache.clear();
  cache.set(digits, phone);
  return phone;
}

export function usePhone(number: string): ParsedPhone {
  useSyncExternalStore(subscribe, () => parse);
  return parsePhone(number);
}
