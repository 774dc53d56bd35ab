import { flushSync } from 'react-dom'
import { Observable, useObservable } from './observable.ts'

/** The pages that the title bar leads to. */
export const pageNames = {
  inspector: 'Inspector',
  registry: 'Registry',
  recordings: 'Recordings',
  tap: 'Tap',
  conformance: 'Conformance',
} as const
export type PageName = keyof typeof pageNames

/** The page that the window shows. The fragment of the address names it, so that it outlives loading again. */
export const shownPage = new Observable<PageName>('inspector')

/** The page that a fragment such as `#registry` names; the inspector if it names none. */
export function pageOf(hash: string): PageName {
  const name = hash.replace(/^#/, '')
  return Object.hasOwn(pageNames, name) ? (name as PageName) : 'inspector'
}

/** Shows the page that the address names, now and when the user goes back and forth. To be called once. */
export function followAddress(): void {
  const follow = (): void => shownPage.set(pageOf(location.hash))
  globalThis.addEventListener('popstate', follow)
  follow()
}

/** Shows a page. It is in the page when this returns, if it was loaded before. */
export function showPage(page: PageName): void {
  if (shownPage.get() === page) return
  history.pushState(null, '', `#${page}`)
  flushSync(() => shownPage.set(page))
}

/** The page that the window shows. */
export function usePage(): PageName {
  return useObservable(shownPage)
}
