/**
 * Provides zod to the recorded schemas of the contract. Every file that evaluates a schema imports this file. The
 * functions are listed by name, so that the bundle has no others.
 */
import {
  array,
  boolean,
  coerce,
  config,
  discriminatedUnion,
  email,
  int,
  ipv4,
  ipv6,
  literal,
  number,
  object,
  partialRecord,
  preprocess,
  record,
  strictObject,
  string,
  stringbool,
  tuple,
  union,
  unknown,
  url,
  uuid,
  enum as zodEnum,
  null as zodNull,
} from 'zod/v4';
import { provideZod } from './recorder.ts';

// The content security policy forbids code created from text; `jitless` keeps zod from trying it, so that browsers
// report no violation.
config({ jitless: true });

provideZod({
  array,
  boolean,
  coerce,
  discriminatedUnion,
  email,
  enum: zodEnum,
  int,
  ipv4,
  ipv6,
  literal,
  null: zodNull,
  number,
  object,
  partialRecord,
  preprocess,
  record,
  strictObject,
  string,
  stringbool,
  tuple,
  union,
  unknown,
  url,
  uuid,
});
