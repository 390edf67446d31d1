/**
 * The public interface for signing up, signing in, and authenticating requests. Tokens, codes, and passwords are kept
 * as hashes only. A response to a client that is not signed in never reveals whether an address has a user.
 *
 * Each folder imports only the folders before it: people < sessions < passwords < factors < social < sign_in < sign_up
 * < profile.
 */
export { plantTotp } from './factors/factors.ts';
export { reauthenticate } from './factors/reauthentication.ts';
export { requirePassword } from './passwords/password_check.ts';
export { hashPassword, rejectWeakPassword, verifyPassword } from './passwords/passwords.ts';
export { type AnonymousRequest, actingAs, readClient } from './people/client.ts';
export { describeDevice } from './people/device.ts';
export { findPersonByEmail, findPersonInAccount } from './people/people.ts';
export { hashToken } from './people/tokens.ts';
export { type PhoneNotice, phoneNotice, phoneNoticeText } from './profile/phone_notice.ts';
export { findUserActor, gate } from './sessions/gate.ts';
export { endSessions, endUserSessions, openSession } from './sessions/sessions.ts';
export { admit } from './sign_in/admission.ts';
