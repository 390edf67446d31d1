/** A company that has just been approved, by the API: for tests that begin with nothing. Codes come from where people get them. */
import { type Api, OPERATOR, PASSWORD, signedIn } from './api.ts';
import type { Sandbox } from './sandbox.ts';
import type { Addresses } from './test.ts';

export interface NewCompany {
  email: string;
  company_name: string;
  api: Api;
}

export async function newCompany(at: Addresses, sandbox: Sandbox): Promise<NewCompany> {
  const name = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e4).toString(36)}`;
  const email = `olga@${name}.example`;
  const company_name = `Roastery ${name}`;
  const phone = `49176${Date.now().toString().slice(-8)}`;
  const ask = async <T>(method: string, path: string, data: unknown, token?: string): Promise<T> => {
    const answer = await fetch(`${at.app}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ data }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? (null as T) : ((await answer.json()) as { data: T }).data;
  };
  const begun = await ask<{ verification_id: string }>('POST', 'users', {
    email,
    password: PASSWORD,
    first_name: 'Olga',
    last_name: 'Neu',
    company_name,
    country_code: 'DE',
    terms: true,
  });
  const [code] = (await sandbox.mail(email, /code|confirm/i)).codes;
  const { access_token } = await ask<{ access_token: string }>('PUT', `email_verifications/${begun.verification_id}`, {
    code,
  });
  const sent = await ask<{ id: string }>('POST', 'phone_verifications', { phone_number: `+${phone}` }, access_token);
  await ask('PUT', `phone_verifications/${sent.id}`, { code: await sandbox.textedCode(phone) }, access_token);
  const review = await ask<{ id: string }>(
    'POST',
    'accounts/self/verifications',
    {
      company_name,
      country_code: 'DE',
      company_address: 'Am Kai 4, 20457 Hamburg',
      company_website: '',
      company_size: '1-50',
      industry_id: 8,
      use_case: 'Orders that are ready, to people who asked for it at the counter.',
      interests: ['whatsapp', 'viber'],
      monthly_volume: '1000_10000',
    },
    access_token,
  );
  const operator = await signedIn(at, OPERATOR);
  await operator.put(`requests/${review.id}`, { decision: 'approve' });
  return { email, company_name, api: await signedIn(at, email) };
}
