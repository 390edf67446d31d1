import * as auth from '@parley/contract/auth/auth.ts';
import * as news from '@parley/contract/auth/news.ts';
import * as self from '@parley/contract/auth/sessions.ts';
import * as sign_up from '@parley/contract/auth/sign_up.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Ctx, type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { routes as factorRoutes } from './factor_routes.ts';
import { implementReauthenticated } from './factors/reauthentication.ts';
import { changePassword } from './passwords/password_change.ts';
import { readClient } from './people/client.ts';
import { exportPersonalData } from './profile/personal_data.ts';
import { confirmPhone, createPhoneVerification } from './profile/phone_verifications.ts';
import { confirmEmailChange, createEmailChange, markNewsSeen, updateSelf } from './profile/self.ts';
import { listOwnAccounts, switchAccount } from './sessions/companies.ts';
import { endOtherSessions, endOwnSession, listSessions } from './sessions/sessions.ts';
import { readBasic, signIn, signOut, verifyLogin } from './sign_in/sign_in.ts';
import {
  confirmEmail,
  createEmailVerification,
  createPasswordReset,
  resetPassword,
} from './sign_up/email_verifications.ts';
import { signUp } from './sign_up/sign_up.ts';
import { readSocialToken } from './social/tickets.ts';
import { routes as socialRoutes } from './social_routes.ts';

// Hashing takes tens of milliseconds, and attempts and failures must be counted, so endpoints that hash or check codes
// run outside a transaction.
export const routes: Implementation[] = [
  implementOutside(auth.signIn, async (ctx) => {
    const credentials = readBasic(ctx.headers.authorization);
    if (!credentials) throw new Problem('CREDENTIALS_INVALID');
    if (credentials.email === '') throw new Problem('USERNAME_REQUIRED');
    if (credentials.password === '') throw new Problem('PASSWORD_REQUIRED');
    return signIn(ctx.kernel, credentials, readClient(ctx));
  }),
  implement(auth.signOut, signOut),

  implementOutside(sign_up.signUp, (ctx, { body }) => signUp(ctx.kernel, body, readOrigin(ctx), readClient(ctx))),
  implement(sign_up.createEmailVerification, (ctx, { body }) =>
    createEmailVerification(ctx.tx, ctx.kernel, body.email, readClient(ctx)),
  ),
  implementOutside(sign_up.confirmEmail, (ctx, { params, body }) =>
    confirmEmail(ctx.kernel, params.id, body.code, readClient(ctx)),
  ),
  implement(sign_up.createPasswordReset, (ctx, { body }) =>
    createPasswordReset(ctx.tx, ctx.kernel, body.email, readClient(ctx)),
  ),
  implementOutside(sign_up.resetPassword, (ctx, { params, body }) =>
    resetPassword(ctx.kernel, params.id, body.password, readClient(ctx)),
  ),
  implementOutside(sign_up.verifyLogin, (ctx, { params, body }) =>
    verifyLogin(ctx.kernel, params.id, body, readClient(ctx)),
  ),
  implementOutside(sign_up.createPhoneVerification, (ctx, { body }) => createPhoneVerification(ctx, body)),
  implementOutside(sign_up.confirmPhone, (ctx, { params, body }) => confirmPhone(ctx, params.id, body.code)),

  implement(self.listSessions, ({ tx, actor, kernel }) => listSessions(tx, actor, kernel.clock.now())),
  implement(self.removeSession, (ctx, { params }) => endOwnSession(ctx, params.id)),
  implement(self.removeOtherSessions, endOtherSessions),
  implementReauthenticated(self.changePassword, 'password', (ctx, { body }) => changePassword(ctx, body.password)),
  implementReauthenticated(self.createEmailChange, 'both_unless_recent', (ctx, { body }) =>
    createEmailChange(ctx, body.email),
  ),
  implementOutside(self.confirmEmailChange, (ctx, { params, body }) => confirmEmailChange(ctx, params.id, body.code)),
  implement(self.updateSelf, (ctx, { body }) => updateSelf(ctx, body)),
  implement(news.markNewsSeen, ({ tx, actor }, { body }) => markNewsSeen(tx, actor, body.news_id)),
  implementOutside(self.exportPersonalData, exportPersonalData),
  implement(self.listOwnAccounts, ({ tx, actor }) => listOwnAccounts(tx, actor)),
  implementOutside(self.switchAccount, (ctx, { params }) => switchAccount(ctx, params)),
  ...factorRoutes,
  ...socialRoutes,
];

const single = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
const readOrigin = ({ headers, kernel }: Pick<Ctx, 'headers' | 'kernel'>) => ({
  source: single(headers['x-source']),
  social_token: headers['x-social-token'] === undefined ? null : readSocialToken(headers, kernel.config),
});
