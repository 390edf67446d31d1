import * as auth from '@parley/contract/auth/auth.ts';
import * as self from '@parley/contract/auth/sessions.ts';
import * as joining from '@parley/contract/auth/sign_up.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyRequest } from 'fastify';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { listOwnAccounts, switchAccount } from './companies.ts';
import { confirmEmail, createEmailVerification, createPasswordReset, resetPassword } from './mail_verifications.ts';
import { changePassword } from './password_change.ts';
import { exportPersonalData } from './personal_data.ts';
import { confirmPhone, createPhoneVerification } from './phone_verifications.ts';
import { implementProven } from './proof.ts';
import { confirmEmailChange, createEmailChange, updateSelf } from './self.ts';
import { endOthers, endOwn, listSessions } from './sessions.ts';
import { readBasic, signIn, signOut, verifyLogin } from './sign_in.ts';
import { signUp } from './sign_up.ts';
import { socialTokenOf } from './social_tickets.ts';
import { visitorOf } from './visitor.ts';

// Hashing takes tens of milliseconds, and tries and failures must be remembered: no transaction around those that hash or check codes.
export const routes: Implementation[] = [
  implementOutside(auth.signIn, async (ctx) => {
    const credentials = readBasic(ctx.headers.authorization);
    if (!credentials) throw new Problem('CREDENTIALS_INVALID');
    return signIn(ctx.kernel, credentials, visitorOf(ctx));
  }),
  implement(auth.signOut, signOut),

  implementOutside(joining.signUp, (ctx, { body }) => signUp(ctx.kernel, body, originOf(ctx.headers), visitorOf(ctx))),
  implement(joining.createEmailVerification, (ctx, { body }) =>
    createEmailVerification(ctx.tx, ctx.kernel, body.email, visitorOf(ctx)),
  ),
  implementOutside(joining.confirmEmail, (ctx, { params, body }) =>
    confirmEmail(ctx.kernel, params.id, body.code, visitorOf(ctx)),
  ),
  implement(joining.createPasswordReset, (ctx, { body }) =>
    createPasswordReset(ctx.tx, ctx.kernel, body.email, visitorOf(ctx)),
  ),
  implementOutside(joining.resetPassword, (ctx, { params, body }) =>
    resetPassword(ctx.kernel, params.id, body.password, visitorOf(ctx)),
  ),
  implementOutside(joining.verifyLogin, (ctx, { params, body }) =>
    verifyLogin(ctx.kernel, params.id, body, visitorOf(ctx)),
  ),
  implementOutside(joining.createPhoneVerification, (ctx, { body }) => createPhoneVerification(ctx, body)),
  implementOutside(joining.confirmPhone, (ctx, { params, body }) => confirmPhone(ctx, params.id, body.code)),

  implement(self.listSessions, ({ tx, actor, kernel }) => listSessions(tx, actor, kernel.clock.now())),
  implement(self.removeSession, (ctx, { params }) => endOwn(ctx, params.id)),
  implement(self.removeOtherSessions, endOthers),
  implementProven(self.changePassword, 'always', (ctx, { body }) => changePassword(ctx, body.password)),
  implementProven(self.createEmailChange, 'locks', (ctx, { body }) => createEmailChange(ctx, body.email)),
  implementOutside(self.confirmEmailChange, (ctx, { params, body }) => confirmEmailChange(ctx, params.id, body.code)),
  implement(self.updateSelf, (ctx, { body }) => updateSelf(ctx, body)),
  implementOutside(self.exportPersonalData, exportPersonalData),
  implement(self.listOwnAccounts, ({ tx, actor }) => listOwnAccounts(tx, actor)),
  implementOutside(self.switchAccount, (ctx, { params }) => switchAccount(ctx, params)),
];

const one = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
const originOf = (headers: FastifyRequest['headers']) => ({
  source: one(headers['x-source']),
  social_token: headers['x-social-token'] === undefined ? null : socialTokenOf(headers),
});
