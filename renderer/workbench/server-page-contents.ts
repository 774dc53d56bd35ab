import { lazy, type ComponentType } from 'react'
import type { ServerPageName } from './server-pages.ts'

/** The component of each page of a server, loaded when the page is opened first. */
export const SERVER_PAGE_CONTENTS: Readonly<Record<ServerPageName, ComponentType<{ serverId: string }>>> = {
  authorization: lazy(() => import('../authorization/authorization-page.tsx')),
  composer: lazy(() => import('../composer/composer-page.tsx')),
  subscriptions: lazy(() => import('../subscriptions/subscriptions-page.tsx')),
  tasks: lazy(() => import('../tasks/tasks-page.tsx')),
}
