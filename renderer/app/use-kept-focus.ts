import { useEffect, useRef } from 'react'
import { focusPanel } from './panel-walk.ts'

type Place = { readonly panel: string; readonly isInText: boolean }

/** Keeps the focus in its panel when panels are built again because `layout` changed. */
export function useKeptFocus(layout: string): void {
  const last = useRef<Place | undefined>(undefined)
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof Element) last.current = placeOf(target)
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    const place = last.current
    // Where something has the focus it was not lost.
    if (place === undefined || document.activeElement !== document.body) return undefined
    if (place.isInText) return focusText(place.panel)
    focusPanel(place.panel)
    return undefined
  }, [layout])
}

/** Focuses the text of a panel as soon as it is there, unless something else has the focus by then. */
function focusText(name: string): (() => void) | undefined {
  const panel = document.querySelector(`[data-region="${name}"]`)
  if (panel === null) return undefined
  const look = (): void => {
    const text = panel.querySelector<HTMLElement>('.cm-content')
    const isFree = document.activeElement === document.body
    if (text === null && isFree) return
    observer.disconnect()
    if (isFree) text?.focus()
  }
  const observer = new MutationObserver(look)
  observer.observe(panel, { childList: true, subtree: true })
  look()
  return () => observer.disconnect()
}

function placeOf(element: Element): Place | undefined {
  const panel = element.closest<HTMLElement>('[data-region]')?.dataset['region']
  return panel === undefined ? undefined : { panel, isInText: element.closest('.cm-content') !== null }
}
