/** Masks what recorded payloads must not show: codes in texts, tokens in URLs, and the prices of carriers. */
import type { OutgoingContent } from '../../channels/outgoing_content.ts';
import type { WirePayload } from '../../channels/wire_payload.ts';

const MASK = '••••';
/** Numbers with the length of a code. */
const CODE = /(?<!\d)\d{4,8}(?!\d)/g;
/** In a text that certainly contains a code, digits next to the code do not hide it. */
const DIGITS = /\d{4,}/g;
/** Stars are in every alphabet, so a masked text has as many segments as the real one. */
const toStars = (code: string): string => '*'.repeat(code.length);

/** The query of a URL can contain the key of a callback, or the signature of a file. */
const URL_QUERY = /(https?:\/\/[^\s"'<>?\\]+\?)[^\s"'<>\\]+/g;
const MONEY = 'price|cost|balance|amount';
const JSON_MONEY = new RegExp(`("[\\w-]*(?:${MONEY})[\\w-]*"\\s*:\\s*)("[^"]*"|-?[\\d.]+)`, 'gi');
const FORM_MONEY = new RegExp(`((?:^|&)[\\w-]*(?:${MONEY})[\\w-]*=)[^&]*`, 'gi');

export interface MaskedMessage {
  text: string;
  content: OutgoingContent | null;
  /** The numbers that were masked. A carrier can repeat them in its response. */
  codes: readonly string[];
}

/** The same text and content if they contain no code. `sealed` is true if the message was accepted with a code. */
export function maskMessage(text: string, content: OutgoingContent | null, sealed: boolean): MaskedMessage {
  const codes = new Set<string>();
  const mask = (value: string): string =>
    value.replace(sealed ? DIGITS : CODE, (code) => {
      codes.add(code);
      return toStars(code);
    });
  const masked = { text: mask(text), content: content && maskContent(content, mask) };
  if (codes.size === 0) return { text, content, codes: [] };
  // A carrier can repeat only a part of the text, so longer codes come first.
  return { ...masked, codes: [...codes].sort((a, b) => b.length - a.length) };
}

function maskContent(content: OutgoingContent, mask: (text: string) => string): OutgoingContent {
  const { header, footer, buttons, template } = content;
  return {
    ...content,
    header: header && mask(header),
    footer: footer && mask(footer),
    buttons: buttons.map((button) => ({ ...button, text: mask(button.text), value: mask(button.value) })),
    template: template && {
      ...template,
      header_values: template.header_values.map(mask),
      body_values: template.body_values.map(mask),
    },
  };
}

/** Fields of PDUs with a text. */
const TEXT_FIELDS = new Set(['short_message', 'message_payload', 'text']);

/** Masks what a person wrote like a text that was sent. `text` is null for a part of a message. */
export function maskArrived(payload: WirePayload, text: string | null): WirePayload {
  const codes = new Set(text?.match(CODE));
  const mask = (value: string): string => value.replace(CODE, (code) => (codes.has(code) ? toStars(code) : code));
  const { fields, body, ...rest } = maskPayload(payload, []);
  return {
    ...rest,
    fields: fields.map(({ name, value }) => ({
      name,
      value: TEXT_FIELDS.has(name) ? value.replace(CODE, toStars) : mask(value),
    })),
    body: mask(body),
  };
}

/** Carriers write prices into responses and receipts. They are the operator's, so customers do not see them. */
export function maskPayload(payload: WirePayload, codes: readonly string[]): WirePayload {
  const isReceived = payload.direction === 'received';
  const mask = (text: string): string => {
    const withoutQueries = text.replace(URL_QUERY, `$1${MASK}`);
    if (!isReceived) return withoutQueries;
    const withoutPrices = withoutQueries.replace(JSON_MONEY, `$1"${MASK}"`).replace(FORM_MONEY, `$1${MASK}`);
    return codes.reduce((masked, code) => masked.replaceAll(code, toStars(code)), withoutPrices);
  };
  return {
    ...payload,
    title: mask(payload.title),
    fields: payload.fields.map(({ name, value }) => ({ name, value: mask(value) })),
    body: mask(payload.body),
  };
}
