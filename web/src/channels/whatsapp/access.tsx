/** The steps of the WhatsApp form. */
import { PROFILE_CATEGORIES } from '@parley/contract/channels/whatsapp/access.ts';
import { brandName } from '../../ui/brand.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import type { AccessView, StepView } from '../access_view.ts';
import { AccountFields } from './AccountFields.tsx';
import { ProfileFields } from './ProfileFields.tsx';

const profile: StepView = {
  initial: (saved) => ({ category: saved?.category ?? null, about: saved?.about ?? '' }),
  labels: { category: 'Category', about: 'About' },
  Fields: ProfileFields,
  rows: (saved) => [
    { label: 'Category', value: saved.category ? PROFILE_CATEGORIES[saved.category] : '–' },
    ...(saved.about ? [{ label: 'About', value: saved.about }] : []),
  ],
};

export const whatsapp: AccessView = {
  business: null,
  profile,
  steps: [
    {
      key: 'account',
      label: 'Account details',
      view: {
        initial: (saved) => ({
          number_from: saved?.number_from ?? 'own',
          phone_number: saved?.phone_number ?? '',
          display_name: saved?.display_name ?? '',
          meta_business_id: saved?.meta_business_id ?? '',
        }),
        labels: { phone_number: 'Number', display_name: 'Display name' },
        check: ({ phone_number }) => ({ phone_number: String(phone_number).trim() ? null : 'Number is required!' }),
        Fields: AccountFields,
        rows: (saved) => [
          {
            label: 'Number',
            value: (
              <>
                <PhoneNumber value={saved.phone_number ?? ''} />{' '}
                {saved.number_from === 'account' ? `(sends SMS with ${brandName()})` : '(from another provider)'}
              </>
            ),
          },
          { label: 'Display name', value: saved.display_name ?? '–' },
          { label: 'Meta business ID', value: saved.meta_business_id || '–' },
        ],
      },
    },
    { key: 'profile', label: 'Profile content', view: profile },
  ],
};
