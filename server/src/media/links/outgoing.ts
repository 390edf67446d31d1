/** Files on their way to a carrier: one of ours, which it can be handed or fetch, or somebody's, of which only the address is known. */
import { extensionOf, type MediaType } from '@parley/contract/media/rules.ts';
import type { OutgoingMedia } from '../../channels/channel.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { stretchOf } from './link_stretch.ts';
import { carrierLink } from './links.ts';
import { objectKey } from '../media.ts';
import type { MediaRow } from '../queries.ts';

/** `name`: what people are to see, without the extension; the file's own name unless said. */
export function outgoingFile(kernel: Kernel, row: MediaRow, name: string | null = null): OutgoingMedia {
  const key = objectKey(row.account_id, row.lease!);
  return {
    type: row.type,
    key,
    link: carrierLink(kernel, row),
    file_name: named(row.file_name, name),
    content_type: row.content_type,
    bytes: row.bytes,
    ...(row.type === 'video'
      ? { picture: row.has_thumbnail ? carrierLink(kernel, row, 'thumbnail') : anyPicture(kernel) }
      : {}),
    open: async () => {
      const file = await kernel.storage.open(key);
      if (!file) throw new Error(`file ${row.id} is gone`);
      return file.stream;
    },
  };
}

export function outgoingLink(type: MediaType, link: string, name: string | null = null): OutgoingMedia {
  const last = new URL(link).pathname.split('/').at(-1) ?? '';
  return { type, key: null, link, file_name: named(last, name), content_type: null, bytes: null, open: null };
}

/** A link to a video, which a carrier may want to know more of. */
export const outgoingVideoLink = (kernel: Kernel, link: string, name: string | null): OutgoingMedia => ({
  ...outgoingLink('video', link, name),
  picture: anyPicture(kernel),
  stretch: stretchOf(createOutbound(kernel.config).fetch, link),
});

/** Of a video that nobody has taken a picture from: part of the web app. */
const anyPicture = ({ config }: Kernel): string => `${config.PUBLIC_URL}/video.png`;

const named = (file_name: string, name: string | null): string =>
  name && !name.includes('.') ? `${name}${extensionOf(file_name)}` : (name ?? file_name);
