/**
 * The first import of the app. Our content security policy lets nothing make code out of text; told so, zod does not try, and no browser reports
 * that it did.
 */
import { config } from 'zod';

config({ jitless: true });
