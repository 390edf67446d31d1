/**
 * The app's first import. The content security policy forbids creating code from text. `jitless` keeps zod from
 * attempting it, so that browsers report no violations.
 */
import { config } from 'zod';

config({ jitless: true });
