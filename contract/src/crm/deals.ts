/** The deals of a conversation's contact, as the connected CRMs have them. */
import { z } from 'zod';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { CRMS } from './crm.ts';

export const DEAL_STATES = ['open', 'won', 'lost'] as const;
export type DealState = (typeof DEAL_STATES)[number];
export const DEAL_STATUS: Readonly<Record<DealState, StatusWord>> = {
  open: statusWord('Open', 'flight', 'progress'),
  won: statusWord('Won', 'ok', 'check'),
  lost: statusWord('Lost', 'off', 'cross'),
};

export const ContactDeal = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty if the CRM does not report it. */
  stage: z.string(),
  state: z.enum(DEAL_STATES),
  value: z.number().nullable(),
  currency: z.string().nullable(),
  /** The page of the deal in the CRM. */
  url: z.string().nullable(),
});
export type ContactDeal = z.output<typeof ContactDeal>;

export const CONTACT_DEALS_PROBLEMS = ['unreachable', 'signed_out'] as const;

export const ContactDeals = z.object({
  provider: z.enum(CRMS),
  label: z.string(),
  /** The person with the number of the conversation; null if the CRM has none. */
  person: z.object({ id: z.string(), url: z.string().nullable() }).nullable(),
  /** Open deals come first, and recently changed ones before older ones. */
  deals: z.array(ContactDeal),
  /** True if the person has more deals. */
  has_more: z.boolean(),
  /** Why the deals are missing. `signed_out`: the CRM no longer accepts the connection. */
  problem: z.enum(CONTACT_DEALS_PROBLEMS).nullable(),
});
export type ContactDeals = z.output<typeof ContactDeals>;

export const listContactDeals = endpoint({
  id: 'crm_deals.list',
  method: 'GET',
  path: '/v1/conversations/{id}/deals',
  summary: 'List the deals of the contact in each connected CRM',
  needs: 'AUDIENCES:view',
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  output: z.array(ContactDeals),
  problems: ['CONVERSATION_ID_INVALID', 'CONVERSATION_NOT_FOUND', 'CONVERSATION_ACCESS_DENIED'],
});
