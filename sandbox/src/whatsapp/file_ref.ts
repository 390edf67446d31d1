import { type Body, optionalText } from './graph/body.ts';
import { invalidValue, missing } from './graph/graph_error.ts';
import type { MediaKind } from './media.ts';

/** A file that a message references by an upload ID or a link. */
export interface FileRef {
  kind: MediaKind;
  id?: string;
  link?: string;
  file_name: string | null;
}

/** Reads `{id}` or `{link}`; exactly one of them is required. */
export function readRef(body: Body, kind: MediaKind, where: string): FileRef {
  const id = optionalText(body, 'id', where, 100);
  const link = optionalText(body, 'link', where, 2048);
  if ((id === undefined) === (link === undefined)) {
    throw id === undefined
      ? missing(`${where}.id or ${where}.link`)
      : invalidValue(`${where} may have an id or a link, not both`);
  }
  if (link !== undefined && !/^https?:\/\/[^\s]+$/.test(link))
    throw invalidValue(`${where}.link must be a web address`);
  return {
    kind,
    ...(id !== undefined ? { id } : { link: link! }),
    file_name: kind === 'document' ? (optionalText(body, 'filename', where, 240) ?? null) : null,
  };
}
