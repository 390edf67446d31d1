/** What a country or carrier requires before a sender may be used: forms, documents, requests, reviews and profiles. */
export { registrationChecks } from './check.ts';
export { changeProfile } from './profile.ts';
export { decideSender, senderRequest } from './requests.ts';
