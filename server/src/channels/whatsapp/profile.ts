/** The profile that people see when they open a business on WhatsApp. */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal, type ProfileRefusal, type SenderProfile } from '../channel.ts';
import type { Json } from '../wire_json.ts';
import { graph, step } from './graph.ts';
import { handleOf } from './handles.ts';

/** WhatsApp's names of the categories. */
const VERTICALS: Readonly<Record<string, string>> = {
  automotive: 'AUTO',
  beauty: 'BEAUTY',
  clothing: 'APPAREL',
  education: 'EDU',
  entertainment: 'ENTERTAIN',
  event_planning: 'EVENT_PLAN',
  finance: 'FINANCE',
  food: 'GROCERY',
  government: 'GOVT',
  health: 'HEALTH',
  hotel: 'HOTEL',
  non_profit: 'NONPROFIT',
  professional_services: 'PROF_SERVICES',
  restaurant: 'RESTAURANT',
  retail: 'RETAIL',
  travel: 'TRAVEL',
  other: 'OTHER',
};

type Field = keyof SenderProfile;
type Words = Exclude<Field, 'picture'>;

/** An empty field is removed at WhatsApp, except `about`, which WhatsApp does not let be empty. */
const WRITTEN: Readonly<Record<Words, (value: string) => Json>> = {
  about: (about) => (about === '' ? {} : { about }),
  description: (description) => ({ description }),
  address: (address) => ({ address }),
  email: (email) => ({ email }),
  website: (website) => ({ websites: website === '' ? [] : [website] }),
  category: (category) => ({ vertical: VERTICALS[category] ?? 'OTHER' }),
};
const written = (profile: SenderProfile): { field: Words; fields: Json }[] =>
  (Object.keys(WRITTEN) as Words[])
    .map((field) => ({ field, fields: profile[field] === null ? {} : WRITTEN[field](profile[field]) }))
    .filter(({ fields }) => Object.keys(fields).length > 0);

/**
 * WhatsApp takes a profile as a whole or not at all. After a refusal each field is sent alone, to find out which one it
 * refused.
 */
export async function putProfile(
  settings: WhatsAppSettings,
  address: string,
  profile: SenderProfile,
): Promise<ProfileRefusal[]> {
  const put = (fields: Json) =>
    graph(settings, `${step(address)}/whatsapp_business_profile`, {
      body: { messaging_product: 'whatsapp', ...fields },
    });
  const refusals: ProfileRefusal[] = [];
  const tried = async (field: Field, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof CarrierRefusal)) throw error;
      refusals.push({ field, text: error.message });
    }
  };
  const parts = written(profile);
  try {
    if (parts.length > 0) await put(Object.assign({}, ...parts.map(({ fields }) => fields)));
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    for (const { field, fields } of parts) await tried(field, () => put(fields));
  }
  const { picture } = profile;
  if (picture) await tried('picture', async () => put({ profile_picture_handle: await handleOf(settings, picture) }));
  return refusals;
}
