/**
 * Verification codes: issuing, limiting, and redeeming six-digit codes for mailboxes and phones. This module does not
 * send text messages: `messages` implements the job `phoneCode`. Codes are kept only as keyed hashes.
 */
export { findCodeSender } from './code_sender.ts';
export { isStopped, listCodeStops } from './code_stops.ts';
export {
  addLink,
  type CodeRequest,
  checkCode,
  consumeTry,
  isCurrentCode,
  issueCode,
  markUsed,
  type OpenVerification,
  openCode,
  redeemCode,
  sealCode,
} from './codes.ts';
export { type PhoneCode, phoneCode } from './jobs.ts';
export { cooldown } from './limits.ts';
export { redeemNumberCode, sendNumberCode } from './number_codes.ts';
export { isCountry, maskPhone, phoneCountry, readPhone, requireCodeCountry } from './phone.ts';
export { markFailed, markSent, readPhoneCode, requestPhoneCode } from './phone_codes.ts';
export { wireTime } from './wire_time.ts';
