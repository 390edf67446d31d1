import { IconCornerUpLeft, IconExternalLink, IconPhone } from '@tabler/icons-react';

/** The icon for each type of button. */
export const BUTTON_ICONS = { quick_reply: IconCornerUpLeft, link: IconExternalLink, phone_call: IconPhone } as const;
