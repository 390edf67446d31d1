/**
 * The requirements of a country or carrier before a sender may be used: forms, documents, requests, reviews, and
 * profiles.
 */
export { registrationChecks } from './check.ts';
export { changeProfile } from './profile.ts';
export { decideSender, readSenderRequest } from './requests.ts';
