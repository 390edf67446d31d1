/**
 * Creates companies: a newly approved one through the API, for tests that start without data, or one that signs up in
 * the browser. The codes come from the sandbox.
 */
import { type Api, OPERATOR, PASSWORD, signedIn } from './api.ts';
import type { Sandbox } from './sandbox.ts';
import { type Addresses, expect, type Page } from './test.ts';

interface NewCompany {
  email: string;
  company_name: string;
  api: Api;
}

export async function newCompany(at: Addresses, sandbox: Sandbox): Promise<NewCompany> {
  const name = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e4).toString(36)}`;
  const email = `olga@${name}.example`;
  const company_name = `Roastery ${name}`;
  const phone = `49176${Date.now().toString().slice(-8)}`;
  const call = async <T>(method: string, path: string, data: unknown, token?: string): Promise<T> => {
    const response = await fetch(`${at.app}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ data }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? (null as T) : ((await response.json()) as { data: T }).data;
  };
  const started = await call<{ verification_id: string }>('POST', 'users', {
    email,
    password: PASSWORD,
    first_name: 'Olga',
    last_name: 'Neu',
    company_name,
    country_code: 'DE',
    terms: true,
  });
  const [code] = (await sandbox.mail(email, /code|confirm/i)).codes;
  const { access_token } = await call<{ access_token: string }>(
    'PUT',
    `email_verifications/${started.verification_id}`,
    {
      code,
    },
  );
  const verification = await call<{ id: string }>(
    'POST',
    'phone_verifications',
    { phone_number: `+${phone}` },
    access_token,
  );
  await call('PUT', `phone_verifications/${verification.id}`, { code: await sandbox.textedCode(phone) }, access_token);
  const review = await call<{ id: string }>(
    'POST',
    'accounts/self/verifications',
    {
      company_name,
      country_code: 'DE',
      company_address: 'Am Kai 4, 20457 Hamburg',
      company_website: '',
      company_size: '1-50',
      industry_id: 8,
      use_case: 'Pickup notices for customers who asked for them at the counter.',
      interests: ['whatsapp', 'viber'],
      monthly_volume: '1000_10000',
    },
    access_token,
  );
  const operator = await signedIn(at, OPERATOR);
  await operator.put(`requests/${review.id}`, { decision: 'approve' });
  return { email, company_name, api: await signedIn(at, email) };
}

interface Owner {
  first_name: string;
  last_name: string;
  company: string;
  email: string;
}

export async function chooseOption(page: Page, label: string, option: string | RegExp): Promise<void> {
  const box = page.getByRole('combobox', { name: label });
  await box.click();
  if (typeof option === 'string' && (await box.isEditable())) await box.fill(option);
  await page.getByRole('option', { name: option }).first().click();
}

/** Fills in the sign-up form for a company in Germany, and confirms the email. The next step asks for the phone. */
export async function signUp(page: Page, sandbox: Sandbox, owner: Owner): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('First name').fill(owner.first_name);
  await page.getByLabel('Last name').fill(owner.last_name);
  await page.getByLabel('Company').fill(owner.company);
  await chooseOption(page, 'Country', 'Germany');
  await page.getByLabel('Email', { exact: true }).fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.getByLabel('Code').fill((await sandbox.mail(owner.email, /code|confirm/i)).codes[0]!);
  await page.keyboard.press('Enter');
}
