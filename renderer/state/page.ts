import { flushSync } from 'react-dom'
import { Observable, useObservable } from './observable.ts'

/** The rooms that the title bar leads to. */
export const pageNames = { inspector: 'Inspector', registry: 'Registry' } as const
export type PageName = keyof typeof pageNames

/** The room that the window shows. The fragment of the address names it, so that it outlives loading again. */
export const shownPage = new Observable<PageName>('inspector')

/** The room that a fragment such as `#registry` names; the inspector if it names none. */
export function pageOf(hash: string): PageName {
  const name = hash.replace(/^#/, '')
  return Object.hasOwn(pageNames, name) ? (name as PageName) : 'inspector'
}

/** Shows the room that the address names, now and when the user goes back and forth. To be called once. */
export function followAddress(): void {
  const follow = (): void => shownPage.set(pageOf(location.hash))
  globalThis.addEventListener('popstate', follow)
  follow()
}

/** Shows a room. It is in the page when this returns, if it was loaded before. */
export function showPage(page: PageName): void {
  if (shownPage.get() === page) return
  history.pushState(null, '', `#${page}`)
  flushSync(() => shownPage.set(page))
}

/** The room that the window shows. */
export function usePage(): PageName {
  return useObservable(shownPage)
}
