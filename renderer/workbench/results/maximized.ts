import { useEffect, type RefObject } from 'react'
import { Observable } from '../../state/observable.ts'
import { openTabs } from '../tabs-store.ts'

/** The result takes the whole page of the inspector. Another tab in front ends it. */
export const isResultMaximized = new Observable(false)

openTabs.subscribe(() => isResultMaximized.set(false))

/** Shows the result on the whole page, or shows everything again. */
export function toggleMaximized(): void {
  isResultMaximized.set(!isResultMaximized.get())
}

/**
 * While `isAlone`, neither pointer nor keys reach what is beside an element in its page: it covers them. The focus
 * moves into the element, and back to where it was.
 */
export function useAlone(element: RefObject<HTMLElement | null>, isAlone: boolean): void {
  useEffect(() => {
    const own = element.current
    if (!isAlone || own === null) return undefined
    const before = document.activeElement
    const covered = besides(own)
    for (const each of covered) each.inert = true
    if (!own.contains(before)) own.focus()
    return () => {
      for (const each of covered) each.inert = false
      if (before instanceof HTMLElement && document.activeElement === own) before.focus()
    }
  }, [element, isAlone])
}

/** The siblings of an element and of all around it, up to the page. */
function besides(element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = []
  let inner = element
  while (inner.parentElement !== null && inner.getAttribute('role') !== 'main') {
    const outer = inner.parentElement
    for (const child of outer.children) {
      if (child !== inner && child instanceof HTMLElement && !child.inert) found.push(child)
    }
    inner = outer
  }
  return found
}
