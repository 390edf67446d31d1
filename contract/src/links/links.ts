/** Short links: their destinations, domains, and clicks. */
import { z } from 'zod';
import {
  commaList,
  idParams,
  listQuery,
  plainName,
  problem,
  search,
  timestamp,
  timestampFilter,
  timestampInput,
  uuid,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { destinationRefusal } from './destination.ts';

/** `message`: from the text of single messages. `campaign`: from a campaign's text. */
export const LINK_SOURCES = ['manual', 'api', 'message', 'campaign'] as const;

const url = z
  .string({ error: problem('LINK_URL_REQUIRED') })
  .trim()
  .min(1, { error: problem('LINK_URL_REQUIRED') })
  .superRefine((text, context) => {
    const message = text === '' ? null : destinationRefusal(text);
    if (message) context.addIssue({ code: 'custom', message });
  });
const name = plainName({ max: 100 });
const tag = plainName({ min: 1, max: 30 });
const tags = z
  .array(tag)
  .max(10, { error: problem('LINK_TAGS_LIMIT_EXCEEDED') })
  .transform((all) => [...new Set(all)]);
const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, {
    error: problem('LINK_DOMAIN_INVALID'),
  });
const max_clicks = z.int().min(1).max(1_000_000_000).nullable();
const password = z
  .string()
  .refine((text) => text.length >= 6 && text.length <= 72, { error: problem('LINK_PASSWORD_INVALID') })
  .nullable();
const expire_date = timestampInput('LINK_EXPIRY_INVALID').nullable();

export const ShortUrl = z.object({
  id: z.string(),
  account_id: z.string(),
  /** The destination. */
  url: z.string(),
  /** Null if every recipient has their own link. */
  short_url: z.string().nullable(),
  name: z.string(),
  /** The account's own domain for the link; null for the installation's domain. */
  domain: z.string().nullable(),
  source: z.enum(LINK_SOURCES),
  campaign_id: z.string().nullable(),
  campaign_name: z.string().nullable(),
  tags: z.array(z.string()),
  expire_date: timestamp.nullable(),
  max_clicks: z.int().nullable(),
  archived: z.boolean(),
  /** True if people must enter a password before they are redirected. */
  has_password: z.boolean(),
  /** Recipients who have their own link. */
  recipients: z.int(),
  /** Clicks by people. Bots and link previews are counted separately. */
  clicks: z.int(),
  unique_clicks: z.int(),
  bot_clicks: z.int(),
  first_click_date: timestamp.nullable(),
  last_click_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type ShortUrl = z.output<typeof ShortUrl>;

const yesNo = z.enum(['true', 'false']).transform((value) => value === 'true');

export const listShortUrls = endpoint({
  id: 'short_urls.list',
  method: 'GET',
  path: '/v1/short_urls',
  summary: 'List short links, newest first',
  needs: 'SHORT_URLS:view',
  sorts: ['create_date'],
  query: listQuery({
    search,
    sources: commaList(z.enum(LINK_SOURCES)),
    tag: z.string().trim().max(30),
    campaign_id: uuid(),
    archived: yesNo,
  }),
  list: true,
  output: ShortUrl,
  problems: [],
});

export const getShortUrl = endpoint({
  id: 'short_urls.get',
  method: 'GET',
  path: '/v1/short_urls/{id}',
  summary: 'Get a short link with its clicks',
  needs: 'SHORT_URLS:view',
  params: idParams('LINK_NOT_FOUND'),
  output: ShortUrl,
  problems: ['LINK_NOT_FOUND'],
});

export const createShortUrl = endpoint({
  id: 'short_urls.create',
  method: 'POST',
  path: '/v1/short_urls',
  summary: 'Create a short link',
  needs: 'SHORT_URLS:add',
  body: z.object({
    url,
    name: name.default(''),
    domain: host.nullable().default(null),
    tags: tags.default([]),
    expire_date: expire_date.default(null),
    max_clicks: max_clicks.default(null),
    /** People enter it before they are redirected. It is stored as a hash. */
    password: password.default(null),
  }),
  status: 201,
  idempotent: true,
  output: ShortUrl,
  problems: [
    'LINK_URL_REQUIRED',
    'LINK_URL_INVALID',
    'LINK_LOOP',
    'LINK_DOMAIN_INVALID',
    'LINK_DOMAIN_NOT_SUPPORTED',
    'LINK_TAGS_LIMIT_EXCEEDED',
    'LINK_EXPIRY_INVALID',
    'LINK_PASSWORD_INVALID',
  ],
});

export const updateShortUrl = endpoint({
  id: 'short_urls.update',
  method: 'PUT',
  path: '/v1/short_urls/{id}',
  summary: 'Change the destination, name, tags, limits, or password of a short link, or archive it',
  needs: 'SHORT_URLS:edit',
  params: idParams('LINK_NOT_FOUND'),
  body: z.object({ url, name, tags, expire_date, max_clicks, password, archived: z.boolean() }).partial(),
  output: ShortUrl,
  problems: [
    'LINK_NOT_FOUND',
    'LINK_URL_REQUIRED',
    'LINK_URL_INVALID',
    'LINK_LOOP',
    'LINK_TAGS_LIMIT_EXCEEDED',
    'LINK_EXPIRY_INVALID',
    'LINK_PASSWORD_INVALID',
  ],
});

export const removeShortUrl = endpoint({
  id: 'short_urls.remove',
  method: 'DELETE',
  path: '/v1/short_urls/{id}',
  summary: 'Delete a short link with its clicks. Its short URL stops working',
  needs: 'SHORT_URLS:delete',
  params: idParams('LINK_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['LINK_NOT_FOUND'],
});

const Share = z.object({ name: z.string(), clicks: z.int() });

export const ShortUrlStat = z.object({
  clicks: z.int(),
  unique_clicks: z.int(),
  /** Requests by bots, link previews, and prefetching browsers. They are in no other figure. */
  bot_clicks: z.int(),
  first_click_date: timestamp.nullable(),
  /** One row per day with clicks, in UTC. */
  days: z.array(z.object({ date: z.string(), clicks: z.int(), unique_clicks: z.int(), bot_clicks: z.int() })),
  devices: z.array(Share),
  referrers: z.array(Share),
  /** The country of the recipient's number. IP addresses are not located, so other clicks have no country. */
  countries: z.array(Share),
});
export type ShortUrlStat = z.output<typeof ShortUrlStat>;

export const getShortUrlStat = endpoint({
  id: 'short_urls.stat',
  method: 'GET',
  path: '/v1/short_urls/stat',
  summary: 'Get the clicks on one or all links over time and by device, referrer, and country',
  needs: 'SHORT_URLS:view',
  query: z.object({
    filter: z
      .object({
        id: uuid('LINK_NOT_FOUND'),
        campaign_id: uuid(),
        from: timestampFilter('start'),
        to: timestampFilter('end'),
      })
      .partial()
      .optional(),
  }),
  output: ShortUrlStat,
  problems: ['LINK_NOT_FOUND'],
});

export const LinkDomain = z.object({
  id: z.string(),
  account_id: z.string(),
  host: z.string(),
  verified: z.boolean(),
  /** The name and the value of the TXT record that proves the ownership. */
  record_name: z.string(),
  record_value: z.string(),
  create_date: timestamp,
});
export type LinkDomain = z.output<typeof LinkDomain>;

export const listLinkDomains = endpoint({
  id: 'link_domains.list',
  method: 'GET',
  path: '/v1/link_domains',
  summary: 'List your own domains for short links',
  needs: 'SHORT_URLS:view',
  output: z.array(LinkDomain),
  problems: [],
});

export const createLinkDomain = endpoint({
  id: 'link_domains.create',
  method: 'POST',
  path: '/v1/link_domains',
  summary: 'Add your own domain for short links',
  needs: 'SHORT_URLS:edit',
  body: z.object({ host }),
  status: 201,
  output: LinkDomain,
  problems: ['LINK_DOMAIN_INVALID', 'LINK_DOMAIN_EXISTS', 'LINK_DOMAINS_LIMIT_EXCEEDED'],
});

export const verifyLinkDomain = endpoint({
  id: 'link_domains.verify',
  method: 'POST',
  path: '/v1/link_domains/{id}/verifications',
  summary: 'Verify a domain by its DNS record',
  needs: 'SHORT_URLS:edit',
  params: idParams('LINK_DOMAIN_NOT_FOUND'),
  output: LinkDomain,
  problems: ['LINK_DOMAIN_NOT_FOUND', 'LINK_DOMAIN_RECORD_MISSING', 'LINK_DOMAIN_EXISTS'],
});

export const removeLinkDomain = endpoint({
  id: 'link_domains.remove',
  method: 'DELETE',
  path: '/v1/link_domains/{id}',
  summary: 'Delete a domain. Links on this domain stop working',
  needs: 'SHORT_URLS:edit',
  params: idParams('LINK_DOMAIN_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['LINK_DOMAIN_NOT_FOUND', 'LINK_DOMAIN_IN_USE'],
});

export const shortUrlChanged = event({
  id: 'short_url.changed',
  modules: ['short_urls'],
  needs: 'SHORT_URLS:view',
  payload: z.object({ id: z.string(), change: z.enum(['created', 'updated', 'removed', 'clicked']) }),
});

export const linkDomainChanged = event({
  id: 'link_domain.changed',
  modules: ['link_domains'],
  needs: 'SHORT_URLS:view',
  payload: z.object({ id: z.string(), host: z.string(), verified: z.boolean() }),
});

/** A person opened a short link. Bots and link previews cause no event. */
export const linkClicked = event({
  id: 'link.clicked',
  modules: ['short_urls'],
  needs: 'SHORT_URLS:view',
  payload: z.object({
    link_id: z.string(),
    url: z.string(),
    campaign_id: z.string().nullable(),
    message_id: z.string().nullable(),
    /** The recipient's number; null for links without a recipient. */
    number: z.string().nullable(),
    device: z.string(),
    is_unique: z.boolean(),
    click_date: timestamp,
  }),
});
