/**
 * The public profile of a number, checked field by field as in the Graph API. Its picture is an uploaded sample that is
 * identified by its handle.
 */
import type { Facts } from '../storage/facts.ts';
import { type Body, text } from './graph/body.ts';
import { GraphError, invalidParameter, invalidValue } from './graph/graph_error.ts';
import type { MediaStore } from './media.ts';

const verticals = [
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

interface BusinessProfile {
  about: string;
  address: string;
  description: string;
  email: string;
  websites: string[];
  vertical: string;
  /** The URL of the sample. */
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
const maxLengths = { about: 139, address: 256, description: 512, email: 128 } as const;
const maxWebsiteLength = 256;
const maxWebsites = 2;
const toKey = (id: string) => `whatsapp:profile:${id}`;

export class BusinessProfiles {
  private readonly facts: Facts;
  private readonly media: MediaStore;

  constructor(facts: Facts, media: MediaStore) {
    this.facts = facts;
    this.media = media;
  }

  get(id: string): BusinessProfile {
    return { ...empty, ...this.facts.get<BusinessProfile>(toKey(id)) };
  }

  /** Changes all given fields, or none if any field is invalid. */
  update(id: string, input: Body): void {
    const next = this.get(id);
    for (const field of ['about', 'address', 'description', 'email'] as const)
      if (input[field] !== undefined)
        // An empty value clears a field, but "about" cannot be empty.
        next[field] = input[field] === '' && field !== 'about' ? '' : text(input, field, '', maxLengths[field]);
    if (next.email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(next.email))
      throw invalidValue('email is not a valid address');
    if (input.websites !== undefined) next.websites = readWebsites(input.websites);
    if (input.vertical !== undefined) {
      if (!(verticals as readonly unknown[]).includes(input.vertical))
        throw invalidParameter(`Param vertical must be one of {${verticals.join(', ')}}`);
      next.vertical = String(input.vertical);
    }
    if (input.profile_picture_handle !== undefined)
      next.picture = this.readPicture(String(input.profile_picture_handle));
    this.facts.put(toKey(id), next);
  }

  toJson(id: string, origin: string): Record<string, unknown> {
    const { picture, ...profile } = this.get(id);
    const filled = Object.entries(profile).filter(([, value]) => value.length > 0);
    return {
      ...Object.fromEntries(filled),
      ...(picture && { profile_picture_url: `${origin}${picture}` }),
      messaging_product: 'whatsapp',
    };
  }

  private readPicture(handle: string): string {
    const sample = this.media.sample(handle);
    if (!sample) throw new GraphError(131009, 'profile_picture_handle: no file was uploaded under this handle');
    if (sample.mime !== 'image/jpeg' && sample.mime !== 'image/jpg' && sample.mime !== 'image/png')
      throw invalidValue(`profile_picture_handle: the picture must be JPEG or PNG, not ${sample.mime}`);
    return this.media.toMedia(sample).url;
  }
}

function readWebsites(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > maxWebsites)
    throw invalidValue(`websites must be a list of at most ${maxWebsites} addresses`);
  for (const website of value) {
    if (typeof website !== 'string' || !/^https?:\/\/\S+$/.test(website) || !URL.canParse(website))
      throw invalidValue(
        `websites: ${String(website).slice(0, 60)} must be a URL that begins with http:// or https://`,
      );
    if (website.length > maxWebsiteLength)
      throw invalidValue(`websites: an address may have at most ${maxWebsiteLength} characters`);
  }
  return value as string[];
}
