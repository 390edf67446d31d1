/** The pages of the routes in routes_apis.tsx. */
export const PAGES = {
  apis: () => import('./keys/ApisPage.tsx'),
  keys: () => import('./keys/KeysPage.tsx'),
  createKey: () => import('./keys/CreateKeyPage.tsx'),
  editKey: () => import('./keys/EditKeyPage.tsx'),
  requestLog: () => import('./api_requests/RequestLogPage.tsx'),
  approvals: () => import('./keys/ApprovalsPage.tsx'),
  testMessages: () => import('./messages/TestMessagesPage.tsx'),
  testCampaigns: () => import('./campaigns/list/TestCampaignsPage.tsx'),
  webhooks: () => import('./webhooks/WebhooksPage.tsx'),
  verifications: () => import('./verifications/VerificationsPage.tsx'),
  smpp: () => import('./smpp/SmppPages.tsx'),
};
