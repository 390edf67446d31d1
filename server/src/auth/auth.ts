/**
 * Signing up, signing in and knowing who calls: what other modules may use of it. Tokens, codes and passwords are kept as hashes only; answers to
 * strangers never tell whether an address exists.
 */
export { admit, type Proof } from './admission.ts';
export { liftCodeStop, listCodeStops } from './code_stops.ts';
export { deviceOf } from './device.ts';
export { gate } from './gate.ts';
export { type PhoneCode, type PhoneNotice, phoneCode, phoneNotice } from './jobs.ts';
export { redeemNumberCode, sendNumberCode } from './number_codes.ts';
export { demandUnusual, hashPassword } from './passwords.ts';
export { membershipsOf, normalEmail, type Person, personByEmail, personByLogin, personIn } from './people.ts';
export { countryOf, isCountry, readPhone } from './phone.ts';
export { markFailed, markSent, PHONE_NOTICE_TEXT, readPhoneCode } from './phone_codes.ts';
export { demandProof } from './proof.ts';
export { demandPassword } from './reauthentication.ts';
export { plantTotp } from './second_factors.ts';
export { endSessions, type Method, type Opening, openSession, type Whose } from './sessions.ts';
export { type Credentials, signIn } from './sign_in.ts';
export { hashToken } from './tokens.ts';
export { actingAs, networkOf, type Visitor, visitorOf } from './visitor.ts';
