import { focusWhenThere } from '../controls/focus-when-there.ts'

/** Panels carry `data-region` with their name; F6 walks them in the order of the page. */
const panels = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-region]')]

/** Where the focus was in each panel, so that walking back comes back to it. */
const lastFocus = new WeakMap<HTMLElement, HTMLElement>()

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** Focuses the next panel, or with -1 the one before. */
export function walkPanels(step: 1 | -1): void {
  const all = panels()
  const active = document.activeElement
  const here = all.findIndex((panel) => panel.contains(active))
  const leaving = all[here]
  if (leaving !== undefined && active instanceof HTMLElement) lastFocus.set(leaving, active)
  const next = here === -1 ? (step === 1 ? 0 : all.length - 1) : (here + step + all.length) % all.length
  const panel = all[next]
  if (panel !== undefined) focusIn(panel)
}

function panelNamed(name: string): HTMLElement | undefined {
  return panels().find((candidate) => candidate.dataset['region'] === name)
}

/** Focuses a panel by its name, if it is there. */
export function focusPanel(name: string): void {
  const panel = panelNamed(name)
  if (panel !== undefined) focusIn(panel)
}

/** Focuses a panel by its name, once it is there: its page may have to be loaded first. */
export function focusPanelWhenThere(name: string): void {
  focusWhenThere(() => {
    const panel = panelNamed(name)
    return panel === undefined ? undefined : targetIn(panel)
  })
}

function focusIn(panel: HTMLElement): void {
  targetIn(panel).focus()
}

function targetIn(panel: HTMLElement): HTMLElement {
  const last = lastFocus.get(panel)
  return last !== undefined && panel.contains(last)
    ? last
    : (panel.querySelector<HTMLElement>('[data-panel-focus]') ??
        panel.querySelector<HTMLElement>(focusable) ??
        panel)
}
