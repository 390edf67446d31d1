import { IconCornerUpLeft, IconExternalLink, IconPhone } from '@tabler/icons-react';

/** The icon of a button by its type. */
export const BUTTON_ICONS = { quick_reply: IconCornerUpLeft, link: IconExternalLink, phone_call: IconPhone } as const;
