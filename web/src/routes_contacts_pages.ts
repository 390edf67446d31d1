/** The pages of the routes in routes_contacts.tsx. */
export const PAGES = {
  audiences: () => import('./audiences/list/AudiencesPage.tsx'),
  audience: () => import('./audiences/list/AudiencePage.tsx'),
  renameAudience: () => import('./audiences/list/RenameAudiencePage.tsx'),
  dynamicAudience: () => import('./audiences/dynamic/DynamicAudiencePage.tsx'),
  addContact: () => import('./audiences/contacts/AddContactPage.tsx'),
  imports: () => import('./audiences/imports/ImportsPage.tsx'),
  import: () => import('./audiences/imports/ImportPage.tsx'),
  stopList: () => import('./audiences/stop_list/StopListPage.tsx'),
  addStop: () => import('./audiences/stop_list/AddStopPage.tsx'),
  importStops: () => import('./audiences/stop_list/ImportStopsPage.tsx'),
  optInForms: () => import('./opt_in_forms/OptInFormsPage.tsx'),
  optInForm: () => import('./opt_in_forms/OptInFormPage.tsx'),
  createOptInForm: () => import('./opt_in_forms/CreateOptInFormPage.tsx'),
  fields: () => import('./audiences/people/FieldsPage.tsx'),
  person: () => import('./audiences/people/PersonPage.tsx'),
};
