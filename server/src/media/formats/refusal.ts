/** The ways in which what is inside a file is not what it should be. */
import { Problem } from '@parley/contract/problem.ts';

/** Begun right, but broken off or unreadable. */
export const corrupted = (message?: string): Problem => new Problem(1908, message ? { message } : {});
/** Something else than its name says, or two things at once. */
export const mismatched = (): Problem => new Problem(1909);
/** It is no use to us, and does no harm. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 1908 || error.code === 1909);
export const unsafe = (message?: string): Problem => new Problem(1916, message ? { message } : {});
