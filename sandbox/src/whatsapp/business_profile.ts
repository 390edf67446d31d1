// What people see when they open a business: checked field by field as the Graph API does, kept by number. A picture is a sample that was uploaded
// before and is named by its handle.
import type { Facts } from '../facts.ts';
import { type Body, text } from './body.ts';
import { GraphError, invalidParameter, wrong } from './graph_error.ts';
import type { MediaShelf } from './media.ts';

export const verticals = [
  'OTHER',
  'AUTO',
  'BEAUTY',
  'APPAREL',
  'EDU',
  'ENTERTAIN',
  'EVENT_PLAN',
  'FINANCE',
  'GROCERY',
  'GOVT',
  'HOTEL',
  'HEALTH',
  'NONPROFIT',
  'PROF_SERVICES',
  'RETAIL',
  'TRAVEL',
  'RESTAURANT',
  'NOT_A_BIZ',
] as const;

export interface BusinessProfile {
  about: string;
  address: string;
  description: string;
  email: string;
  websites: string[];
  vertical: string;
  /** Of the sample. */
  picture: string | null;
}

const empty: BusinessProfile = {
  about: '',
  address: '',
  description: '',
  email: '',
  websites: [],
  vertical: 'OTHER',
  picture: null,
};
const longest = { about: 139, address: 256, description: 512, email: 128 } as const;
const longestWebsite = 256;
const mostWebsites = 2;
const keyOf = (id: string) => `whatsapp:profile:${id}`;

export class BusinessProfiles {
  #facts: Facts;
  #media: MediaShelf;

  constructor(facts: Facts, media: MediaShelf) {
    this.#facts = facts;
    this.#media = media;
  }

  of(id: string): BusinessProfile {
    return { ...empty, ...this.#facts.get<BusinessProfile>(keyOf(id)) };
  }

  /** All of it or nothing. */
  change(id: string, input: Body): void {
    const next = this.of(id);
    for (const field of ['about', 'address', 'description', 'email'] as const)
      if (input[field] !== undefined)
        // Emptied is what is given empty; but people always see some "about".
        next[field] = input[field] === '' && field !== 'about' ? '' : text(input, field, '', longest[field]);
    if (next.email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(next.email))
      throw wrong('email is not a valid address');
    if (input.websites !== undefined) next.websites = websitesOf(input.websites);
    if (input.vertical !== undefined) {
      if (!(verticals as readonly unknown[]).includes(input.vertical))
        throw invalidParameter(`Param vertical must be one of {${verticals.join(', ')}}`);
      next.vertical = String(input.vertical);
    }
    if (input.profile_picture_handle !== undefined)
      next.picture = this.#pictureOf(String(input.profile_picture_handle));
    this.#facts.put(keyOf(id), next);
  }

  shown(id: string, origin: string): Record<string, unknown> {
    const { picture, ...profile } = this.of(id);
    const given = Object.entries(profile).filter(([, value]) => value.length > 0);
    return {
      ...Object.fromEntries(given),
      ...(picture && { profile_picture_url: `${origin}${picture}` }),
      messaging_product: 'whatsapp',
    };
  }

  #pictureOf(handle: string): string {
    const sample = this.#media.sample(handle);
    if (!sample) throw new GraphError(131009, 'profile_picture_handle: no file was uploaded under this handle');
    if (sample.mime !== 'image/jpeg' && sample.mime !== 'image/jpg' && sample.mime !== 'image/png')
      throw wrong(`profile_picture_handle: a picture is JPEG or PNG, not ${sample.mime}`);
    return this.#media.shown(sample).url;
  }
}

function websitesOf(given: unknown): string[] {
  if (!Array.isArray(given) || given.length > mostWebsites)
    throw wrong(`websites must be a list of at most ${mostWebsites} addresses`);
  for (const one of given) {
    if (typeof one !== 'string' || !/^https?:\/\/\S+$/.test(one) || !URL.canParse(one))
      throw wrong(`websites: ${String(one).slice(0, 60)} is no address that begins with http:// or https://`);
    if (one.length > longestWebsite) throw wrong(`websites: an address may have at most ${longestWebsite} characters`);
  }
  return given as string[];
}
