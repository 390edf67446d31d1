/** Problems with the content of a file. */
import { Problem } from '@parley/contract/problem.ts';

/** The file is cut off or unreadable. */
export const corrupted = (message?: string): Problem => new Problem('FILE_CORRUPTED', message ? { message } : {});
/** The content does not match the name, or matches two formats at once. */
export const mismatched = (): Problem => new Problem('FILE_CONTENT_MISMATCH');
/** True if the file is corrupted or mismatched: unusable, but harmless. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.name === 'FILE_CORRUPTED' || error.name === 'FILE_CONTENT_MISMATCH');
export const unsafe = (message?: string): Problem => new Problem('DOCUMENT_UNSAFE', message ? { message } : {});
