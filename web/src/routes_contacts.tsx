/** The routes of contacts: audiences, people, imports, and the stop list. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { CONTACT_FIELDS, CREATE_OPT_IN_FORM, OPT_IN_FORMS, optInFormPath, PEOPLE } from './paths.ts';

export const contactPages = (frame: AnyRoute): AnyRoute[] => [
  ...optInPages(frame),
  pageRoute(frame, {
    path: '/contacts/my-audiences',
    title: 'Audiences',
    needs: 'AUDIENCES:view',
    page: () => import('./audiences/list/AudiencesPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/my-audiences/$id',
    title: 'Audience',
    needs: 'AUDIENCES:view',
    page: () => import('./audiences/list/AudiencePage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/rename-audience/$id',
    title: 'Rename audience',
    needs: 'AUDIENCES:edit',
    page: () => import('./audiences/list/RenameAudiencePage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/create-dynamic-audience',
    title: 'Create dynamic audience',
    needs: 'AUDIENCES:add',
    page: () => import('./audiences/dynamic/DynamicAudiencePage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/edit-conditions/$id',
    title: 'Edit conditions',
    needs: 'AUDIENCES:edit',
    page: () => import('./audiences/dynamic/DynamicAudiencePage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/add-contact/$id',
    title: 'Add contact',
    needs: 'AUDIENCES:edit',
    page: () => import('./audiences/contacts/AddContactPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/imports',
    title: 'Imports',
    needs: 'AUDIENCES:view',
    page: () => import('./audiences/imports/ImportsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/imports/$id',
    title: 'Import',
    needs: 'AUDIENCES:view',
    page: () => import('./audiences/imports/ImportPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/my-stop-list',
    title: 'Stop list',
    needs: 'SENDERS:view',
    page: () => import('./audiences/stop_list/StopListPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/stop-list/add-contact',
    title: 'Add to the stop list',
    needs: 'SENDERS:edit',
    page: () => import('./audiences/stop_list/AddStopPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/contacts/stop-list/import',
    title: 'Import to the stop list',
    needs: 'SENDERS:edit',
    page: () => import('./audiences/stop_list/ImportStopsPage.tsx'),
  }),
  ...peoplePages(frame),
];

const optInPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: OPT_IN_FORMS,
    title: 'Opt-in forms',
    needs: 'AUDIENCES:view',
    page: () => import('./opt_in_forms/OptInFormsPage.tsx'),
  }),
  pageRoute(frame, {
    path: optInFormPath('$id'),
    title: 'Opt-in form',
    needs: 'AUDIENCES:view',
    page: () => import('./opt_in_forms/OptInFormPage.tsx'),
  }),
  pageRoute(frame, {
    path: CREATE_OPT_IN_FORM,
    title: 'Create opt-in form',
    needs: 'AUDIENCES:edit',
    page: () => import('./opt_in_forms/CreateOptInFormPage.tsx'),
  }),
];

const peoplePages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: CONTACT_FIELDS,
    title: 'Contact fields',
    needs: 'AUDIENCES:view',
    page: () => import('./audiences/people/FieldsPage.tsx'),
  }),
  pageRoute(frame, {
    path: `${PEOPLE}/$id`,
    title: 'Person',
    needs: 'AUDIENCES:view',
    page: () => import('./audiences/people/PersonPage.tsx'),
  }),
];
