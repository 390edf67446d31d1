/**
 * The key that was created last in this tab, for examples. It is kept in memory only, so a reload forgets it, and so
 * does a change of the account.
 */
let recent: { account_id: string; key: string } | null = null;

export const rememberKey = (account_id: string, key: string): void => {
  recent = { account_id, key };
};

export const recentKey = (account_id: string): string | null => (recent?.account_id === account_id ? recent.key : null);
