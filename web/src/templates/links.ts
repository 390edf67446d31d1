/** Where templates live. */
import type { ChannelName } from '@parley/contract/channels/names.ts';

export const LIBRARY = '/library';
export const CREATE = '/library/create';
const EDIT: Readonly<Record<ChannelName, string>> = {
  SMS: '/library/edit',
  VIBER: '/library/viber-edit',
  WHATSAPP: '/library/whatsapp-edit',
};

export const editPath = ({ channel, id }: { channel: ChannelName; id: string }): string => `${EDIT[channel]}/${id}`;
/** For a link with a query of its own. */
export const linkTo = (to: string, search: Record<string, string>) => ({ to, search: search as never });
