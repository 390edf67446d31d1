import * as contract from '@parley/contract/links/links.ts';
import { createUtmPreset, listUtmPresets, removeUtmPreset } from '@parley/contract/links/utm_presets.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as domains from './domains.ts';
import * as links from './links.ts';
import * as presets from './utm_presets.ts';

export const routes: Implementation[] = [
  implement(contract.listShortUrls, ({ tx, kernel, actor }, { query }) =>
    links.listShortUrls(tx, kernel.config, actor, query),
  ),
  implement(contract.getShortUrl, ({ tx, kernel, actor }, { params }) =>
    links.getShortUrl(tx, kernel.config, actor, params.id),
  ),
  implement(contract.createShortUrl, ({ tx, kernel, actor }, { body }) =>
    links.createShortUrl(tx, kernel.config, actor, body),
  ),
  implement(contract.updateShortUrl, ({ tx, kernel, actor }, { params, body }) =>
    links.updateShortUrl(tx, kernel.config, actor, params.id, body),
  ),
  implement(contract.removeShortUrl, ({ tx, actor }, { params }) => links.removeShortUrl(tx, actor, params.id)),
  implement(contract.getShortUrlStat, ({ tx, kernel, actor }, { query }) =>
    links.getShortUrlStat(tx, kernel.config, actor, query),
  ),
  implement(contract.listLinkDomains, ({ tx, actor }) => domains.listLinkDomains(tx, actor)),
  implement(contract.createLinkDomain, ({ tx, kernel, actor }, { body }) =>
    domains.createLinkDomain(tx, kernel.config, actor, body.host),
  ),
  implementOutside(contract.verifyLinkDomain, ({ kernel, actor }, { params }) =>
    domains.verifyLinkDomain(kernel.db, actor, params.id),
  ),
  implement(contract.removeLinkDomain, ({ tx, actor }, { params }) => domains.removeLinkDomain(tx, actor, params.id)),
  implement(listUtmPresets, ({ tx, actor }) => presets.listUtmPresets(tx, actor)),
  implement(createUtmPreset, ({ tx, actor }, { body }) => presets.createPreset(tx, actor, body)),
  implement(removeUtmPreset, ({ tx, actor }, { params }) => presets.removePreset(tx, actor, params.id)),
];
