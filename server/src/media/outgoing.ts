/** Files on their way to a carrier: one of ours, which it can be handed or fetch, or somebody's, of which only the address is known. */
import { extensionOf, type MediaType } from '@parley/contract/media_rules.ts';
import type { OutgoingMedia } from '../channels/channel.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { carrierLink } from './links.ts';
import { objectKey } from './media.ts';
import type { MediaRow } from './queries.ts';

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
    ...(row.type === 'video' && row.has_thumbnail ? { picture: carrierLink(kernel, row, 'thumbnail') } : {}),
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

const named = (file_name: string, name: string | null): string =>
  name && !name.includes('.') ? `${name}${extensionOf(file_name)}` : (name ?? file_name);
