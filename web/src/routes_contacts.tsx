/** The routes of contacts: audiences, people, imports, and the stop list. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { CONTACT_FIELDS, CREATE_OPT_IN_FORM, OPT_IN_FORMS, optInFormPath, PEOPLE } from './paths.ts';

/** Their files are listed in their own chunk, so that the first page does not list them. */
const page = (name: keyof typeof import('./routes_contacts_pages.ts').PAGES) => () =>
  import('./routes_contacts_pages.ts').then(({ PAGES }) => PAGES[name]());

export const contactPages = (frame: AnyRoute): AnyRoute[] => [
  ...optInPages(frame),
  pageRoute(frame, {
    path: '/contacts/my-audiences',
    title: 'Audiences',
    needs: 'AUDIENCES:view',
    page: page('audiences'),
  }),
  pageRoute(frame, {
    path: '/contacts/my-audiences/$id',
    title: 'Audience',
    needs: 'AUDIENCES:view',
    page: page('audience'),
  }),
  pageRoute(frame, {
    path: '/contacts/rename-audience/$id',
    title: 'Rename audience',
    needs: 'AUDIENCES:edit',
    page: page('renameAudience'),
  }),
  pageRoute(frame, {
    path: '/contacts/create-dynamic-audience',
    title: 'Create dynamic audience',
    needs: 'AUDIENCES:add',
    page: page('dynamicAudience'),
  }),
  pageRoute(frame, {
    path: '/contacts/edit-conditions/$id',
    title: 'Edit conditions',
    needs: 'AUDIENCES:edit',
    page: page('dynamicAudience'),
  }),
  pageRoute(frame, {
    path: '/contacts/add-contact/$id',
    title: 'Add contact',
    needs: 'AUDIENCES:edit',
    page: page('addContact'),
  }),
  pageRoute(frame, {
    path: '/contacts/imports',
    title: 'Imports',
    needs: 'AUDIENCES:view',
    page: page('imports'),
  }),
  pageRoute(frame, {
    path: '/contacts/imports/$id',
    title: 'Import',
    needs: 'AUDIENCES:view',
    page: page('import'),
  }),
  ...stopPages(frame),
];

const stopPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/contacts/my-stop-list',
    title: 'Stop list',
    needs: 'SENDERS:view',
    page: page('stopList'),
  }),
  pageRoute(frame, {
    path: '/contacts/stop-list/add-contact',
    title: 'Add to the stop list',
    needs: 'SENDERS:edit',
    page: page('addStop'),
  }),
  pageRoute(frame, {
    path: '/contacts/stop-list/import',
    title: 'Import to the stop list',
    needs: 'SENDERS:edit',
    page: page('importStops'),
  }),
  ...peoplePages(frame),
];

const optInPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: OPT_IN_FORMS,
    title: 'Opt-in forms',
    needs: 'AUDIENCES:view',
    page: page('optInForms'),
  }),
  pageRoute(frame, {
    path: optInFormPath('$id'),
    title: 'Opt-in form',
    needs: 'AUDIENCES:view',
    page: page('optInForm'),
  }),
  pageRoute(frame, {
    path: CREATE_OPT_IN_FORM,
    title: 'Create opt-in form',
    needs: 'AUDIENCES:edit',
    page: page('createOptInForm'),
  }),
];

const peoplePages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: CONTACT_FIELDS,
    title: 'Contact fields',
    needs: 'AUDIENCES:view',
    page: page('fields'),
  }),
  pageRoute(frame, {
    path: `${PEOPLE}/$id`,
    title: 'Person',
    needs: 'AUDIENCES:view',
    page: page('person'),
  }),
];
