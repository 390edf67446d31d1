import { createPasswordReset } from '@parley/contract/auth/sign_up.ts';
import { EmailStep } from './EmailStep.tsx';

/** Shows the same response whether or not the address belongs to a user. Only the email that is sent differs. */
export default function ForgotPasswordPage() {
  return (
    <EmailStep
      endpoint={createPasswordReset}
      title="Forgot your password?"
      description="Enter your email address. We’ll send you a code and a link to reset your password."
      recovery
    />
  );
}
