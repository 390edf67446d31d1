import { createPasswordReset } from '@parley/contract/auth/sign_up.ts';
import { EmailStep } from './EmailStep.tsx';

/** Says the same whether there is a user of the address or not; the mail tells. */
export default function ForgotPasswordPage() {
  return (
    <EmailStep
      endpoint={createPasswordReset}
      title="Forgot your password?"
      line="Enter the address you sign in with. We send a code and a link to choose a new password."
      recovery
    />
  );
}
