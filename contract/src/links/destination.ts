/** Rules for the destination of a link that can be checked without the network. */

const MAX_URL = 2_083;

/** Latin letters that Cyrillic, Greek, and other letters look like. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Hebrew', 'Arabic', 'Han', 'Hiragana', 'Katakana'] as const;
/** Japanese names mix these scripts. */
const JAPANESE: ReadonlySet<string> = new Set(['Latin', 'Han', 'Hiragana', 'Katakana']);

/** Returns why the URL cannot be the destination of a link, or null. */
export function destinationRefusal(text: string): string | null {
  if (text === '') return 'The URL is empty';
  if (text.length > MAX_URL) return `The URL can have at most ${MAX_URL.toLocaleString('en-US')} characters`;
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return 'The URL contains spaces or invisible characters';
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'The URL must begin with http:// or https://';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The URL must not contain a username';
  const host = url.hostname.replace(/\.$/, '');
  if (isPrivate(host)) return 'The URL points to a private network';
  if (!host.includes('.') && !host.startsWith('[')) return 'The URL has no domain';
  return looksLikeAnother(writtenHost(text)) ? 'The domain mixes letters that look alike' : null;
}

/** The host as the user wrote it. `URL` turns letters outside ASCII into Punycode. */
function writtenHost(text: string): string {
  const host = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  return host.replace(/:\d*$/, '').normalize('NFKC').toLowerCase();
}

/**
 * True for a domain that imitates another one: a label with letters of several scripts, or only of Cyrillic or Greek
 * letters that look Latin.
 */
function looksLikeAnother(host: string): boolean {
  return host.split('.').some((label) => {
    const written = label.startsWith('xn--') ? decodeLabel(label) : label;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
    if (/^[\u0000-\u007f]*$/.test(written)) return false;
    const scripts = SCRIPTS.filter((script) => new RegExp(`\\p{sc=${script}}`, 'u').test(written));
    if (scripts.length > 1 && !scripts.every((script) => JAPANESE.has(script))) return true;
    return /^[аеорсухіјѕԁһԛԝӏαονρυχ\d-]+$/u.test(written);
  });
}

/** Decodes a Punycode label (RFC 3492). Returns the label unchanged if it is not valid. */
function decodeLabel(label: string): string {
  const text = label.slice(4);
  const last = text.lastIndexOf('-');
  const output = Array.from(last > 0 ? text.slice(0, last) : '', (char) => char.codePointAt(0)!);
  let [n, bias, i] = [128, 72, 0];
  for (let at = last > 0 ? last + 1 : 0; at < text.length; ) {
    const before = i;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = punycodeDigit(text.charCodeAt(at++));
      if (digit < 0) return label;
      i += digit * weight;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff) return label;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function punycodeDigit(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : -1;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}

/** True for names and addresses that exist only inside a network. */
function isPrivate(host: string): boolean {
  if (/(^|\.)(localhost|local|internal|lan|home|intranet|corp)$/i.test(host)) return true;
  const [, a = '', b = ''] = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host) ?? [];
  const [first, second] = [Number(a), Number(b)];
  if (a !== '')
    return (
      [0, 10, 127].includes(first) ||
      first >= 224 ||
      (first === 100 && second >= 64 && second < 128) ||
      (first === 169 && second === 254) ||
      (first === 172 && second >= 16 && second < 32) ||
      (first === 192 && second === 168)
    );
  return /^\[(::1?|f[cd]|fe[89ab]|::ffff:)/i.test(host);
}
