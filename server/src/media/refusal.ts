/** The ways in which what is inside a file is not what it should be. */
import { Problem } from '@parley/contract/problem.ts';

/** Begun right, but broken off or unreadable. */
export const corrupted = (message?: string): Problem => new Problem('FILE_CORRUPTED', message ? { message } : {});
/** Something else than its name says, or two things at once. */
export const mismatched = (): Problem => new Problem('FILE_CONTENT_MISMATCH');
/** It is no use to us, and does no harm. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.name === 'FILE_CORRUPTED' || error.name === 'FILE_CONTENT_MISMATCH');
export const unsafe = (message?: string): Problem => new Problem('DOCUMENT_UNSAFE', message ? { message } : {});
