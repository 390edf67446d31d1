/**
 * The first import of the app. The content security policy forbids code created from text; `jitless` keeps zod from
 * trying it, so that browsers report no violation.
 */
import { config } from 'zod';

config({ jitless: true });
