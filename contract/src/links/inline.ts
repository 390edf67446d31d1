/**
 * Links in texts: `{url=https://example.com/sale}` becomes a short link with a unique code for each recipient. All
 * codes have the same length, so a text can be counted and priced before its codes exist.
 */
import type { Finding } from '../templates/draft.ts';
import { finding } from '../templates/draft.ts';
import { destinationRefusal } from './destination.ts';

/** Links in one text. */
export const MAX_LINKS = 5;

/** 62 letters and digits at 9 places: even with 100,000,000 links, one guess in 135,000,000 finds one. */
export const CODE_LENGTH = 9;

/** Stands for the code of a recipient in previews and when segments are counted. */
export const SAMPLE_CODE = 'aB3dE5gH7';

const INLINE = /\{[ \t]*url[ \t]*=([^{}\n]*)\}/gi;
/** The beginning of a link that may not be complete. */
const STARTED = /\{[ \t]*url[ \t]*=/gi;
const OPT_OUT = /\{[ \t]*sms_opt_out[ \t]*(?::[^{}\n]*)?\}/gi;

export const hasLinks = (text: string): boolean => text.includes('{') && /\{[ \t]*url[ \t]*=/i.test(text);
export const hasOptOut = (text: string): boolean => text.includes('{') && text.search(OPT_OUT) >= 0;

/** The destinations in a text, in order, as written. */
export const linksIn = (text: string): string[] => Array.from(text.matchAll(INLINE), (match) => match[1]!.trim());

/** Everything wrong with the links in a text. */
export function linkFindings(text: string, field = 'text'): Finding[] {
  if (!hasLinks(text)) return [];
  const urls = linksIn(text);
  if ((text.match(STARTED) ?? []).length > urls.length)
    return [finding('LINK_URL_INVALID', field, 'Write links as {url=https://example.com}, without braces in the URL')];
  if (urls.length > MAX_LINKS) return [finding('LINKS_LIMIT_EXCEEDED', field)];
  for (const url of urls) {
    const refusal = destinationRefusal(url);
    if (refusal) return [finding('LINK_URL_INVALID', field, `${refusal}: ${url.slice(0, 100)}`)];
  }
  return [];
}

/** Replaces each link. `fill` gets the destination and the link as written. */
export const fillLinks = (text: string, fill: (url: string, tag: string) => string): string =>
  hasLinks(text) ? text.replace(INLINE, (tag, url: string) => fill(url.trim(), tag)) : text;

/** Replaces `{sms_opt_out}`. */
export const fillOptOut = (text: string, value: string): string =>
  hasOptOut(text) ? text.replace(OPT_OUT, () => value) : text;

/** The text of `{sms_opt_out}` if recipients can reply to the sender. */
export const OPT_OUT_REPLY = 'Reply STOP to opt out';
/** The text of `{sms_opt_out}` if they cannot reply. */
export const optOutText = (short_url: string): string => `Opt out: ${short_url}`;

/** The text as a recipient gets it, with a sample in the place of each code. */
export const withSampleLinks = (text: string, prefix: string): string =>
  fillLinks(text, () => `${prefix}/${SAMPLE_CODE}`);
