/**
 * Finds the links in a text without a regular expression whose time could grow faster than the text. A host without a
 * scheme counts if phones turn it into a link, which they do for known endings.
 */
import { domainToASCII, domainToUnicode } from 'node:url';
import { isCountry } from '@parley/contract/country.ts';
import { type FoldedText, writtenAt } from './folded_text.ts';

export interface LinkedHost {
  /** In ASCII, without `www.`. */
  readonly host: string;
  /** In Unicode. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const ENDINGS = new Set(
  (
    'com net org info biz edu gov mil int eu uk app dev page site online store shop club live life link click top ' +
    'xyz icu vip win bid loan work works world today news blog cloud digital email group team tech space ' +
    'website host ' +
    'pro mobi name asia tel cat jobs travel museum coop aero fun one men date review trade science party stream ' +
    'download racing faith cricket accountant win rest bar support help services solutions agency company center ' +
    'finance money bank cash credit tax insurance health care pharmacy casino bet game games art design media ly'
  ).split(' '),
);
const HOST_UNIT = /[\p{L}\p{N}\-.]/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;
const MAX_HOST = 253;
const SCHEME = /https?:\/\/$/;

const isKnownEnding = (ending: string): boolean =>
  ENDINGS.has(ending) || ending.startsWith('xn--') || (ending.length === 2 && isCountry(ending.toUpperCase()));

export function findHosts(folded: FoldedText): LinkedHost[] {
  const { text } = folded;
  const hosts: LinkedHost[] = [];
  let after = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', Math.max(dot + 1, after))) {
    let start = dot;
    let end = dot + 1;
    while (start > after && dot - start < MAX_HOST && HOST_UNIT.test(text[start - 1]!)) start--;
    while (end < text.length && end - dot < MAX_HOST && HOST_UNIT.test(text[end]!)) end++;
    after = end;
    const found = readHost(folded, start, end);
    if (found) hosts.push(found);
  }
  return hosts;
}

function readHost(folded: FoldedText, from: number, until: number): LinkedHost | null {
  const { text } = folded;
  let start = from;
  let end = until;
  while (start < end && /[.-]/.test(text[start]!)) start++;
  while (end > start && /[.-]/.test(text[end - 1]!)) end--;
  const written = text.slice(start, end);
  const labels = written.split('.');
  if (labels.length < 2 || !labels.every((label) => label.length <= 63 && LABEL.test(label))) return null;
  const hasScheme = SCHEME.test(text.slice(Math.max(0, start - 8), start));
  const ending = labels.at(-1)!;
  const isName = /^\p{L}{2,}$/u.test(ending) || ending.startsWith('xn--');
  if (hasScheme ? !isName && !/^\d{1,3}(\.\d{1,3}){3}$/.test(written) : !isName) return null;
  // An email address is not a link.
  if (!hasScheme && text[start - 1] === '@') return null;
  const isPath = text[end] === '/';
  if (!hasScheme && !isPath && labels[0] !== 'www' && !isKnownEnding(domainToASCII(ending) || ending)) return null;
  // Accents are part of a host, although they do not matter elsewhere.
  const host = (domainToASCII(writtenAt(folded, start, end)) || written).replace(/^www\./, '');
  return { host, name: domainToUnicode(host) || written, start, end };
}

/** True if the host is one of the domains or below one. */
export function isBelow(host: string, domains: ReadonlySet<string>): boolean {
  for (let at = 0; at >= 0; ) {
    if (domains.has(host.slice(at))) return true;
    const dot = host.indexOf('.', at);
    at = dot < 0 ? -1 : dot + 1;
  }
  return false;
}

/** Accepts a domain as people write it, such as `https://www.Example.com/`. Returns null if it is not a domain. */
export function readDomain(written: string): string | null {
  const [host = ''] = written
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^\*?\.|^www\./, '')
    .split(/[/?#:]/);
  const ascii = domainToASCII(host);
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(ascii) ? ascii : null;
}

/** Services that hide the destination of a link. */
export const SHORTENERS: ReadonlySet<string> = new Set(
  (
    'bit.ly tinyurl.com t.co goo.gl ow.ly is.gd v.gd buff.ly adf.ly bit.do cutt.ly rebrand.ly shorturl.at rb.gy ' +
    't.ly tiny.cc s.id lnkd.in db.tt qr.ae soo.gd clck.ru vk.cc u.to x.co yourls.org bl.ink short.io shrtco.de ' +
    'tiny.one urlz.fr t2m.io dub.sh dub.co spoo.me cli.re gg.gg hyp.ms kutt.it l.ead.me mcaf.ee n9.cl ouo.io ' +
    'qrco.de shorte.st sh.st shorten.rest snip.ly surl.li t1p.de tr.ee trib.al urlr.me vu.fr wp.me zpr.io a.co ' +
    'amzn.to youtu.be fb.me j.mp 2.gp 0rz.tw 1url.com lc.chat linktr.ee go2l.ink chilp.it clicky.me budurl.com'
  ).split(' '),
);
