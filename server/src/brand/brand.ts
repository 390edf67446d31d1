/**
 * White label. Operators set the brand of the installation, and an account with sub-accounts sets the brand that these
 * see (kernel/brand). A domain must be verified as a domain of the account, and so must the sender's domain.
 */
import type { BrandSettings, updateBrand as updateEndpoint } from '@parley/contract/brand/brand.ts';
import { brandChanged, LOGO_TYPES } from '@parley/contract/brand/brand.ts';
import { derivePalette } from '@parley/contract/brand/palette.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { fileExtension } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../accounts/accounts.ts';
import { skeleton } from '../guard/guard.ts';
import { DEFAULT_BRAND, INSTALLATION, imagePath } from '../kernel/brand/brand.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { signatureRecord } from '../kernel/mail/mail.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { type FindRecords, findRecords, hasVerifiedDomain } from '../links/links.ts';
import { readSmallPicture } from '../media/media.ts';
import * as queries from './queries.ts';

/** Images that were uploaded and are not in use yet. */
const KEPT_IMAGES = 20;

interface Owner {
  /** The account of the brand: the caller's, or the zero UUID for the installation. */
  owner_id: string;
  is_installation: boolean;
  is_available: boolean;
}

async function findOwner(db: Queryable, { account_id }: Pick<Actor, 'account_id'>): Promise<Owner> {
  const { is_operator, has_sub_accounts } = await queries.findOwner(db, account_id);
  return {
    owner_id: is_operator ? INSTALLATION : account_id,
    is_installation: is_operator,
    is_available: is_operator || has_sub_accounts,
  };
}

const toImage = (id: string | null) => (id === null ? null : { id, url: imagePath(id) });

export async function getBrand(kernel: Pick<Kernel, 'config'>, db: Queryable, actor: Actor): Promise<BrandSettings> {
  const { owner_id, is_installation, is_available } = await findOwner(db, actor);
  const [own, inherited] = await runTogether(queries.findBrand(db, owner_id), queries.findBrand(db, INSTALLATION));
  const shown = own ?? (inherited && { ...inherited, domain: null, sender_email: null, reviews: [] });
  const domain = own?.sender_email?.split('@').at(-1) ?? own?.domain;
  return {
    is_own: own !== null,
    is_available,
    is_installation,
    name: shown?.name ?? DEFAULT_BRAND.name,
    color: shown?.color ?? null,
    palette: (shown?.palette as BrandSettings['palette'] | undefined) ?? null,
    domain: shown?.domain ?? null,
    domain_verified: own?.domain_verified ?? false,
    sender_email: shown?.sender_email ?? null,
    sender_record: domain ? signatureRecord(kernel.config, domain) : null,
    logo: toImage(shown?.logo_id ?? null),
    logo_dark: toImage(shown?.logo_dark_id ?? null),
    reviews: (shown?.reviews ?? []).map(({ label, href, image_id }) => ({ label, href, image: toImage(image_id) })),
  };
}

/**
 * The DNS is read before the transaction, which would otherwise keep a connection to the database while a name server
 * does not respond. The transaction then checks again everything that it can.
 */
export async function updateBrand(ctx: Ctx, body: Body, find: FindRecords = findRecords): Promise<BrandSettings> {
  const { kernel, actor } = ctx;
  const { is_available, is_installation } = await findOwner(kernel.db, actor);
  if (is_available && !is_installation) {
    await requireResellerFields(kernel.db, actor, body);
    await requireSenderRecord(kernel, body, find);
  }
  return kernel.db.tx((tx) => saveBrand({ ...ctx, tx }, body));
}

async function saveBrand(ctx: Ctx, body: Body): Promise<BrandSettings> {
  const { tx, kernel, actor } = ctx;
  const owner = await findOwner(tx, actor);
  if (!owner.is_available) throw new Problem('BRAND_NOT_AVAILABLE');
  if (owner.is_installation) requireInstallationFields(body);
  else await requireResellerFields(tx, actor, body);
  const ids = imageIds(body);
  if ((await queries.countImages(tx, owner.owner_id, ids)) < ids.length) throw new Problem('BRAND_IMAGE_NOT_FOUND');
  const color = body.color?.toLowerCase() ?? null;
  await queries.saveBrand(tx, {
    ...body,
    account_id: owner.owner_id,
    color,
    palette: color === null ? null : derivePalette(color),
    reviews: owner.is_installation ? body.reviews : [],
  });
  await queries.deleteImages(tx, owner.owner_id, ids, 0);
  const { name, domain, sender_email } = body;
  record(tx, ctx, {
    action: 'brand.updated',
    target: { type: 'brand', id: owner.owner_id, name },
    detail: { name, color, domain, sender_email, has_logo: body.logo_id !== null },
  });
  await announce(tx, actor, owner);
  return getBrand(kernel, tx, actor);
}

type Body = Parsed<typeof updateEndpoint>['body'];

const imageIds = ({ logo_id, logo_dark_id, reviews }: Body): string[] => [
  ...new Set([logo_id, logo_dark_id, ...reviews.map(({ image_id }) => image_id)].filter((id) => id !== null)),
];

/** The installation has the addresses of its environment settings. */
function requireInstallationFields({ domain, sender_email }: Body): void {
  if (domain !== null)
    throw new Problem('VALUE_INVALID', { field: 'domain', message: 'PUBLIC_URL sets the domain of the installation' });
  if (sender_email !== null)
    throw new Problem('VALUE_INVALID', {
      field: 'sender_email',
      message: 'MAIL_FROM sets the sender of the installation',
    });
}

async function requireResellerFields(
  db: Queryable,
  { account_id }: Actor,
  { name, domain, sender_email, reviews }: Body,
): Promise<void> {
  if (reviews.length > 0)
    throw new Problem('VALUE_INVALID', { field: 'reviews', message: 'Only the installation has review pages' });
  await requireOwnName(db, name);
  if (domain !== null && !(await hasVerifiedDomain(db, account_id, domain)))
    throw new Problem('BRAND_DOMAIN_NOT_VERIFIED');
  if (sender_email !== null && !(await hasVerifiedDomain(db, account_id, readHost(sender_email))))
    throw new Problem('BRAND_SENDER_NOT_VERIFIED');
}

const readHost = (email: string): string => email.split('@').at(-1)!;

/** Throws BRAND_SENDER_RECORD_MISSING if emails are signed and the domain of the sender lacks the key. */
async function requireSenderRecord(
  kernel: Pick<Kernel, 'config'>,
  { sender_email }: Body,
  find: FindRecords,
): Promise<void> {
  if (sender_email === null) return;
  const host = readHost(sender_email);
  const expected = signatureRecord(kernel.config, host);
  if (!expected) return;
  const records = await find(expected.name).catch(() => []);
  const readKey = (text: string) => /(?:^|;)\s*p=([^;]+)/.exec(text)?.[1]?.replace(/\s/g, '');
  if (!records.some((parts) => readKey(parts.join('')) === readKey(expected.value)))
    throw new Problem('BRAND_SENDER_RECORD_MISSING', {
      message: `The TXT record ${expected.name} was not found. It must contain: ${expected.value}`,
    });
}

/** Letters and digits, in the form in which look-alikes are the same. */
const comparable = (name: string): string =>
  skeleton(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  );

/** A brand cannot have the operator's name, even with similar letters. */
async function requireOwnName(db: Queryable, name: string): Promise<void> {
  const installation = await queries.findBrand(db, INSTALLATION);
  const reserved = [DEFAULT_BRAND.name, ...(installation ? [installation.name] : [])];
  if (reserved.some((other) => posesAs(name, other))) throw new Problem('BRAND_NAME_RESERVED');
}

/** A short name can be part of other words, so it must be a separate word, or the whole name. */
function posesAs(name: string, other: string): boolean {
  const shape = comparable(other);
  if (shape.length >= 5) return comparable(name).includes(shape);
  const words = name.normalize('NFKD').split(/[^\p{L}\p{M}\p{N}]+/u);
  return shape !== '' && [name, ...words].some((word) => comparable(word) === shape);
}

export async function removeBrand(ctx: Ctx): Promise<void> {
  const { tx, actor } = ctx;
  const owner = await findOwner(tx, actor);
  const before = await queries.findBrand(tx, owner.owner_id);
  await queries.deleteBrand(tx, owner.owner_id);
  await queries.deleteImages(tx, owner.owner_id, [], 0);
  if (!before) return;
  record(tx, ctx, {
    action: 'brand.deleted',
    target: { type: 'brand', id: owner.owner_id, name: before.name },
  });
  await announce(tx, actor, owner);
}

export async function createBrandImage(ctx: Ctx): Promise<{ id: string; url: string }> {
  const { tx, kernel, actor, upload } = ctx;
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  try {
    const { owner_id, is_available } = await findOwner(tx, actor);
    if (!is_available) throw new Problem('BRAND_NOT_AVAILABLE');
    if (!(LOGO_TYPES as readonly string[]).includes(fileExtension(upload.filename)) || upload.bytes === 0)
      throw new Problem('BRAND_IMAGE_INVALID');
    const image = await readSmallPicture(kernel, actor.account_id, upload);
    const before = await queries.findBrand(tx, owner_id);
    const ids = before ? imageIds({ ...before } as Body) : [];
    const id = newId();
    await queries.insertImage(tx, { id, account_id: owner_id, ...image });
    await queries.deleteImages(tx, owner_id, ids, KEPT_IMAGES);
    return { id, url: imagePath(id) };
  } finally {
    await kernel.storage.remove(upload.key);
  }
}

/** Open pages of the account and its sub-accounts show the new brand. Other pages show it when they are loaded. */
async function announce(tx: Tx, { account_id }: Actor, { is_installation }: Owner): Promise<void> {
  if (is_installation) {
    await emitToOperators(tx, brandChanged, { account_id });
    return;
  }
  const sub_accounts = await queries.listSubAccounts(tx, account_id);
  for (const id of [account_id, ...sub_accounts.map((row) => row.id)]) emit(tx, brandChanged, id, { account_id });
}
