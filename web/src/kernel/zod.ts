/**
 * The first import of the app. The content security policy forbids code made from text; `jitless` keeps zod from
 * trying, so that browsers report no violation.
 */
import { config } from 'zod';

config({ jitless: true });
