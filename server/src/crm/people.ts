/** The people of a CRM by their numbers. Searches are remembered, because CRMs limit their number. */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { parseNumber } from '../audiences/audiences.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { provider } from './apps.ts';
import type { Call } from './providers/provider.ts';

/** How long a search is remembered, with and without a result. */
const KNOWN_MINUTES = 24 * 60;
const UNKNOWN_MINUTES = 10;

interface Wanted {
  account_id: string;
  provider: CrmName;
  number: string;
  /** The country of numbers that are written without their country code. */
  country: string;
}

/** Finds the person by number, regardless of its format in the CRM, and stores the result. */
export async function findPerson(kernel: Kernel, call: Call, wanted: Wanted): Promise<string | null> {
  const { account_id, provider: name, number } = wanted;
  const recent = await kernel.db.maybeOne<{ person_id: string | null }>(sql`
    select person_id from crm_people
    where account_id = ${account_id} and provider = ${name} and number = ${number}
      and check_date > now() - make_interval(
        mins => case when person_id is null then ${UNKNOWN_MINUTES}::int else ${KNOWN_MINUTES}::int end)`);
  return recent ? recent.person_id : searchPerson(kernel, call, wanted);
}

/** Searches even if the number is known, such as after its person was deleted in the CRM. */
export async function searchPerson(
  kernel: Kernel,
  call: Call,
  { account_id, provider: name, number, country }: Wanted,
): Promise<string | null> {
  // The last digits are written alike with and without the country code.
  const candidates = await provider(name).searchPeople(call, number.slice(-7));
  const match = candidates.find(({ numbers }) =>
    numbers.some(({ text }) => parseNumber(text, country)?.number === number),
  );
  await kernel.db.run(sql`
    insert into crm_people (account_id, provider, number, person_id)
    values (${account_id}, ${name}, ${number}, ${match?.id ?? null})
    on conflict (account_id, provider, number) do update set person_id = excluded.person_id, check_date = now()`);
  return match?.id ?? null;
}
