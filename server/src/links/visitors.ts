/** Tells people from bots, link previews, and prefetching browsers, by the headers and the time of a request. */
import type { IncomingHttpHeaders } from 'node:http';

export type VisitKind = 'person' | 'bot' | 'preview';

/** Apps that fetch a link to show a preview of it. */
const PREVIEWS = new RegExp(
  [
    String.raw`whatsapp\/`,
    'facebookexternalhit',
    'facebot',
    String.raw`viber\/`,
    'telegrambot',
    'twitterbot',
    'slackbot',
    'slack-imgproxy',
    'discordbot',
    'linkedinbot',
    'skypeuripreview',
    'microsoftpreview',
    'msteams',
    'google-pagerenderer',
    'googlemessages',
    'applebot',
    'imessagebot',
    'pinterestbot',
    'redditbot',
    'embedly',
    'iframely',
    'vkshare',
    'line-poker',
    'kakaotalk-scrap',
    'snap url preview',
    'mattermost',
    'bitlybot',
    'cardyb',
  ].join('|'),
  'i',
);

/** Crawlers, scanners of security products, and programs. */
const BOTS = new RegExp(
  [
    String.raw`bot\b`,
    'bot[/ ;]',
    'crawl',
    'spider',
    'slurp',
    'archiver',
    'headless',
    'phantomjs',
    'lighthouse',
    'monitor',
    'uptime',
    'pingdom',
    'scan',
    'proofpoint',
    'barracuda',
    'mimecast',
    'safelinks',
    'urlscan',
    'virustotal',
    'googleimageproxy',
    'yahoomailproxy',
    'feedfetcher',
    String.raw`curl\/`,
    String.raw`wget\/`,
    'python',
    'aiohttp',
    'httpx',
    'okhttp',
    'go-http-client',
    String.raw`java\/`,
    'apache-httpclient',
    'libwww',
    'axios',
    'node-fetch',
    'undici',
    String.raw`got \(`,
    'ruby',
    'perl',
    String.raw`php\/`,
    'guzzle',
    'postman',
    'insomnia',
    String.raw`k6\/`,
    'autocannon',
    '^node$',
    String.raw`^\S*$`,
  ].join('|'),
  'i',
);

/** People need more time than this to read a message and open its link. */
const TOO_SOON_MS = 2_000;
/** A scanner opens all links of a text together. */
const BURST_MS = 1_000;
const BURST_LINKS = 3;
const MAX_ADDRESSES = 20_000;

const MAX_AGENTS = 2_000;
const MAX_AGENT_LENGTH = 512;

/** Most requests come from a few browsers, so their answers are kept. The oldest makes room for the next one. */
function memo<T>(read: (agent: string) => T): (agent: string) => T {
  const known = new Map<string, T>();
  return (agent) => {
    if (known.has(agent)) return known.get(agent)!;
    const value = read(agent);
    if (agent.length > MAX_AGENT_LENGTH) return value;
    if (known.size >= MAX_AGENTS) known.delete(known.keys().next().value!);
    known.set(agent, value);
    return value;
  };
}

interface Visit {
  method: string;
  headers: IncomingHttpHeaders;
  /** Milliseconds since the recipient's message was created; null for a link without a recipient. */
  message_age_ms: number | null;
}

type AgentKind = 'preview' | 'bot' | null;
const agentKind = memo(
  (agent: string): AgentKind => (PREVIEWS.test(agent) ? 'preview' : BOTS.test(agent) ? 'bot' : null),
);

export function visitKind({ method, headers, message_age_ms }: Visit): VisitKind {
  const known = agentKind(headers['user-agent'] ?? '');
  const purpose = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']].join(' ');
  if (method === 'HEAD' || /prefetch|preview|prerender/i.test(purpose) || known === 'preview') return 'preview';
  if (known === 'bot') return 'bot';
  return message_age_ms !== null && message_age_ms < TOO_SOON_MS ? 'preview' : 'person';
}

export const DEVICES = ['phone', 'tablet', 'computer', 'other'] as const;

export const visitDevice = memo((agent: string): (typeof DEVICES)[number] => {
  if (/ipad|tablet|kindle|silk|playbook|android(?!.*mobile)/i.test(agent)) return 'tablet';
  if (/mobi|iphone|ipod|android|windows phone/i.test(agent)) return 'phone';
  return /windows|macintosh|linux|cros|x11/i.test(agent) ? 'computer' : 'other';
});

/** The host of the page that the person came from, without its path, which can contain personal data. */
export function visitReferrer(text: string | undefined): string {
  if (!text || !URL.canParse(text)) return '';
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) ? hostname.slice(0, 253) : '';
}

/**
 * Finds visitors that open several links at once. The visits of the last two periods are kept, and the older period is
 * dropped as a whole.
 */
export function burstWatch(now: () => number = () => performance.now()): (visitor: string, code: string) => boolean {
  type Visits = { code: string; at: number }[];
  let current = new Map<string, Visits>();
  let previous = new Map<string, Visits>();
  let start = now();
  return (visitor, code) => {
    const at = now();
    if (at - start > BURST_MS || current.size >= MAX_ADDRESSES) {
      previous = current;
      current = new Map();
      start = at;
    }
    const earlier = current.get(visitor) ?? previous.get(visitor) ?? [];
    const visits = earlier.filter((visit) => visit.at > at - BURST_MS && visit.code !== code);
    visits.push({ code, at });
    current.set(visitor, visits);
    return visits.length >= BURST_LINKS;
  };
}
