/** Converts a media row to the format for the API and the events. */
import type { Media } from '@parley/contract/media/media.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { mediaLink } from './links/links.ts';
import type { MediaRow } from './queries.ts';

/** Returns the row without links, because links expire. */
export const toMediaEvent = (row: MediaRow): Omit<Media, 'get_url' | 'thumbnail_url'> => {
  const { declared_width: _, declared_height: __, lease: ___, has_thumbnail: ____, ...rest } = row;
  return rest;
};

export const toMedia = (kernel: Kernel, row: MediaRow): Media => ({
  ...toMediaEvent(row),
  get_url: row.status === 'ready' ? mediaLink(kernel, row) : null,
  thumbnail_url: row.has_thumbnail ? mediaLink(kernel, row, 'thumbnail') : null,
});
