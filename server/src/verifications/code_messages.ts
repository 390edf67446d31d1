/** Composes the messages that carry a code, for the first channel and for each fallback. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Finding } from '@parley/contract/templates/draft.ts';
import { fillTemplate, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import type { VerificationStep } from '@parley/contract/verifications/rules.ts';
import { standardText } from '@parley/contract/verifications/standard_text.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { ComposedMessage } from '../messages/messages.ts';
import { requireTemplate } from '../templates/templates.ts';

/** The placeholder of a code. */
const CODE_TAG = 'code';

interface CodeText {
  readonly account_id: string;
  readonly code: string;
  readonly brand: string;
  readonly locale: string | null;
}

export const readBrand = async (db: Queryable, account_id: string): Promise<string> =>
  (await db.one<{ name: string | null }>(sql`select company_name as name from accounts where id = ${account_id}`))
    .name ?? '';

export const composeCode =
  (db: Queryable, { account_id, code, brand, locale }: CodeText, { channel, template: id }: VerificationStep) =>
  async (sender: { id: string }): Promise<ComposedMessage> => {
    if (id === null)
      return { text: standardText(code, brand, locale), content: null, template_id: null, purpose: null };
    const { verification } = channelRules(channel);
    const template = await requireTemplate(db, account_id, id, channel, sender);
    const refusal = verification.refuseTemplate(template);
    if (refusal) throw new Problem(refusal);
    if (!templatePlaceholders(template).some(({ name }) => name === CODE_TAG))
      throw new Problem('VERIFICATION_TEMPLATE_CODE_REQUIRED');
    const { text, content, findings } = fillTemplate(template, { [CODE_TAG]: code });
    throwFirst(findings);
    return { text, content, template_id: template.id, purpose: verification.purpose };
  };

function throwFirst([first, ...others]: readonly Finding[]): void {
  if (first) throw new Problem(first.code, { field: 'template', message: first.message, others });
}
