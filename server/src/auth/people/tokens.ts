/**
 * Long secrets (for sessions, links, keys, and social tickets) are stored as hashes. They are random, so a plain hash
 * is enough.
 */
import { createHash } from 'node:crypto';

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
