/** The profile that people see when they open a business on WhatsApp. */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal, type ProfileRefusal, type SenderProfile } from '../channel.ts';
import type { Json } from '../wire_json.ts';
import { callGraph, pathSegment } from './graph.ts';
import { createHandle } from './handles.ts';

/** WhatsApp's names for the categories. */
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

/** An empty value removes the field at WhatsApp, except `about`, which must not be empty. */
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
 * WhatsApp accepts a profile completely or not at all. After a refusal, each field is sent separately, to find out
 * which fields were refused.
 */
export async function putProfile(
  settings: WhatsAppSettings,
  address: string,
  profile: SenderProfile,
): Promise<ProfileRefusal[]> {
  const putFields = (fields: Json) =>
    callGraph(settings, `${pathSegment(address)}/whatsapp_business_profile`, {
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
    if (parts.length > 0) await putFields(Object.assign({}, ...parts.map(({ fields }) => fields)));
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    for (const { field, fields } of parts) await tried(field, () => putFields(fields));
  }
  const { picture } = profile;
  if (picture)
    await tried('picture', async () => putFields({ profile_picture_handle: await createHandle(settings, picture) }));
  return refusals;
}
