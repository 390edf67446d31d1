/** Files of outbound messages: a stored file that the carrier receives or fetches, or the customer's link to a file. */
import { fileExtension } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import type { OutgoingMedia } from '../../channels/outgoing_content.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { objectKey } from '../objects.ts';
import type { MediaRow } from '../queries.ts';
import { createRangeReader } from './link_range.ts';
import { carrierLink } from './links.ts';

/** `name` is the name that recipients see, without the extension. The default is the file's own name. */
export function makeOutgoingFile(kernel: Kernel, row: MediaRow, name: string | null = null): OutgoingMedia {
  const key = objectKey(row.account_id, row.lease!);
  return {
    type: row.type,
    key,
    link: carrierLink(kernel, row),
    file_name: displayName(row.file_name, name),
    content_type: row.content_type,
    bytes: row.bytes,
    ...(row.type === 'video'
      ? { picture: row.has_thumbnail ? carrierLink(kernel, row, 'thumbnail') : defaultPicture(kernel) }
      : {}),
    open: async () => {
      const file = await kernel.storage.open(key);
      if (!file) throw new Error(`file ${row.id} no longer exists`);
      return file.stream;
    },
  };
}

export function outgoingLink(type: MediaType, link: string, name: string | null = null): OutgoingMedia {
  const last = new URL(link).pathname.split('/').at(-1) ?? '';
  return { type, key: null, link, file_name: displayName(last, name), content_type: null, bytes: null, open: null };
}

/** A link to a video. Some carriers require its duration and size, which are read from the linked file. */
export const makeOutgoingVideoLink = (kernel: Kernel, link: string, name: string | null): OutgoingMedia => ({
  ...outgoingLink('video', link, name),
  picture: defaultPicture(kernel),
  readRange: createRangeReader(createOutbound(kernel.config).fetch, link),
});

/** The picture for a video without a thumbnail. The web app serves it. */
const defaultPicture = ({ config }: Kernel): string => `${config.PUBLIC_URL}/video.png`;

const displayName = (file_name: string, name: string | null): string =>
  name && !name.includes('.') ? `${name}${fileExtension(file_name)}` : (name ?? file_name);
