/** Labels for approval statuses. They are separate, because most pages do not show them. */
import { type StatusWord, statusWord } from '../status.ts';
import type { ApprovalStatus } from './approval.ts';

export const APPROVAL_STATUS: Readonly<Record<ApprovalStatus, StatusWord>> = {
  requested: statusWord('Waiting for approval', 'wait', 'clock'),
  approved: statusWord('Approved', 'ok', 'check'),
  declined: statusWord('Declined', 'fail', 'cross'),
  withdrawn: statusWord('Withdrawn', 'off', 'ban'),
};
