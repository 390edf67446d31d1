/**
 * The services on the simulated Viber: their permissions, callback URLs, and tokens. One service always exists; the
 * others are created through the API or the page, which replace Viber's partner portal.
 */
import { randomBytes } from 'node:crypto';
import { inputFlag, inputObject, inputString, invalid, notFound, Problem } from '../problem.ts';
import type { Facts } from '../storage/facts.ts';
import type { Business } from './request.ts';

const presetId = 30_001;
const maxServices = 1000;
const flags = ['promotional', 'two_way', 'blocked', 'address_allowed'] as const;
const fields = ['name', 'callback_url', ...flags];
const prefix = 'viber/service/';

export class Businesses {
  private readonly facts: Facts;
  private readonly preset: Business;

  constructor(facts: Facts, preset: { callback_url: string; auth_token: string }) {
    this.facts = facts;
    this.preset = { ...newBusiness(presetId, preset.auth_token), name: 'Parley', callback_url: preset.callback_url };
  }

  /** Finds a service by ID or name. If several services have the same name, returns the first one. */
  findByName(text: string): Business | undefined {
    const key = text.trim().toLowerCase();
    return this.list().find(({ service_id, name }) => String(service_id) === key || name.toLowerCase() === key);
  }

  find(service_id: number): Business | undefined {
    const changed = this.facts.get<Business>(`${prefix}${service_id}`);
    return changed ?? (service_id === presetId ? this.preset : undefined);
  }

  list(): Business[] {
    const changed = this.facts.list<Business>(prefix);
    const all = changed.some(({ service_id }) => service_id === presetId) ? changed : [this.preset, ...changed];
    return all.sort((a, b) => a.service_id - b.service_id);
  }

  create(body: unknown): Business {
    const all = this.list();
    if (all.length >= maxServices) throw new Problem(409, 'full', `the limit of ${maxServices} services is reached`);
    const service_id = all.at(-1)!.service_id + 1;
    return this.put(newBusiness(service_id, randomBytes(24).toString('base64url')), body, ['name']);
  }

  update(service_id: string, body: unknown): Business {
    const current = this.find(Number(service_id));
    if (!current) throw notFound(`service ${service_id}`);
    return this.put(current, body, []);
  }

  private put(current: Business, body: unknown, required: string[]): Business {
    const input = inputObject(body, fields);
    const next = { ...current };
    if (input.name !== undefined || required.includes('name')) {
      next.name = inputString(input, 'name', { min: 1, max: 60 }).trim();
      if (next.name === '') throw invalid('name', 'must not be empty');
    }
    if (input.callback_url !== undefined) next.callback_url = readCallbackUrl(input.callback_url);
    for (const flag of flags) if (input[flag] !== undefined) next[flag] = inputFlag(input, flag);
    this.facts.put(`${prefix}${next.service_id}`, next);
    return next;
  }
}

/** Reads a callback URL. An empty string means no callbacks. */
function readCallbackUrl(value: unknown): string {
  if (value === '') return '';
  const url = inputString({ callback_url: value }, 'callback_url', { min: 0, max: 2083 });
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw invalid('callback_url', 'must be an HTTP URL');
  return url;
}

const newBusiness = (service_id: number, auth_token: string): Business => ({
  service_id,
  name: '',
  callback_url: '',
  auth_token,
  promotional: true,
  two_way: true,
  blocked: false,
  address_allowed: true,
});
