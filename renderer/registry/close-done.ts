import { shownPage } from '../state/page.ts'
import { closePage, isInFront, pageId, registryPages, type RegistryPageTarget } from './registry-view.ts'

/** The open page of this kind. */
export function openPageLike(page: RegistryPageTarget): RegistryPageTarget | undefined {
  return registryPages.get().pages.find((open) => pageId(open) === pageId(page))
}

/**
 * Closes a page whose action is done: unless another took its place, or it was left and is shown again, for then something
 * else may be typed in it.
 */
export function closeDone(page: RegistryPageTarget | undefined, wasLeft: boolean): void {
  if (page === undefined || !registryPages.get().pages.includes(page)) return
  const isShownAgain = wasLeft && shownPage.get() === 'registry' && isInFront(page)
  if (!isShownAgain) closePage(page)
}
