/** Phone numbers in international form. The rules of all countries are 20 KiB, so they come after the page; until then digits are shown. */
import { useSyncExternalStore } from 'react';

export interface ParsedPhone {
  text: string;
  country: string | null;
}

type Parse = (
  text: string,
) => { formatInternational(): string; country?: string; getPossibleCountries(): string[] } | undefined;

let parse: Parse | null = null;
let loading = false;
const listeners = new Set<() => void>();
const shapes = new Map<string, ParsedPhone>();

async function load(): Promise<void> {
  if (loading) return;
  loading = true;
  try {
    parse = (await import('libphonenumber-js/min')).parsePhoneNumberFromString as Parse;
    for (const listener of listeners) listener();
  } catch {
    // The plain digits stay; the next number that is shown tries again.
    loading = false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!parse) void load();
  return () => listeners.delete(listener);
}

/** Short codes and names are returned as they are. */
export function parsePhone(number: string): ParsedPhone {
  const digits = number.replace(/[^\d]/g, '');
  if (digits.length < 7 || /[a-z]/i.test(number)) return { text: number, country: null };
  if (!parse) return { text: `+${digits}`, country: null };
  const known = shapes.get(digits);
  if (known) return known;
  const parsed = parse(`+${digits}`);
  const shape = {
    text: parsed?.formatInternational() ?? `+${digits}`,
    country: parsed?.country ?? parsed?.getPossibleCountries()[0] ?? null,
  };
  if (shapes.size > 5_000) shapes.clear();
  shapes.set(digits, shape);
  return shape;
}

export function usePhone(number: string): ParsedPhone {
  useSyncExternalStore(subscribe, () => parse);
  return parsePhone(number);
}
