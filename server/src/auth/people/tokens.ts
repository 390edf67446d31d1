/**
 * Long secrets (of sessions, links, keys, social tickets) are kept as hashes. They are random, so a plain hash is
 * enough.
 */
import { createHash } from 'node:crypto';

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
