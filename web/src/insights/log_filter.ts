import { statusesFound } from '@parley/contract/messages/statuses.ts';
import { dateBounds } from './dates.ts';

/** Converts the filters of the log in the URL to those of the API. */
export function toLogFilter(filters: Record<string, string>, zone: string): Record<string, unknown> {
  const {
    search,
    statuses,
    sender,
    country,
    network,
    category,
    verification,
    campaign,
    template,
    failure,
    user,
    key,
    hold,
    ...more
  } = filters;
  const { from, to, ...rest } = more;
  return {
    ...rest,
    ...(search ? { to_prefix: search } : {}),
    ...(statuses ? { statuses: statusesFound(statuses.split(',')) } : {}),
    ...(sender ? { sender_ids: sender } : {}),
    ...(country ? { countries: country } : {}),
    ...(network ? { networks: network } : {}),
    ...(category ? { wa_categories: category } : {}),
    ...(verification ? { verification_statuses: verification } : {}),
    ...(campaign ? { campaign_ids: campaign } : {}),
    ...(template ? { template_ids: template } : {}),
    ...(failure ? { failures: failure } : {}),
    ...(user ? { user_ids: user } : {}),
    ...(key ? { key_ids: key } : {}),
    ...(hold ? { hold_id: hold } : {}),
    ...dateBounds(from ?? null, to ?? null, zone),
  };
}
