/** Problems with the content of a file. */
import { Problem } from '@parley/contract/problem.ts';

/** The file is cut off or unreadable. */
export const corrupted = (message?: string): Problem => new Problem(1908, message ? { message } : {});
/** The content does not match the name, or fits two formats at once. */
export const mismatched = (): Problem => new Problem(1909);
/** Corrupted or mismatched: unusable, but harmless. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 1908 || error.code === 1909);
export const unsafe = (message?: string): Problem => new Problem(1916, message ? { message } : {});
