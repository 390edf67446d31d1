const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-10` becomes "October 2026". */
export const monthLabel = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

export const statementQuery = (account_id: string) => ({ filter: { account_id } });
