import { focusWhenThere } from '../controls/focus-when-there.ts'

const FIELDS = 'input, textarea, [role="combobox"], [role="radio"], [role="checkbox"]'

/** Moves the focus to the field of the form in front that holds the value at this JSON pointer, after it is drawn. */
export function focusFieldWhenThere(pointer: string): void {
  requestAnimationFrame(() => {
    const places = [...panelInFront().querySelectorAll<HTMLElement>('[data-pointer]')].filter(
      (place) => place.dataset['pointer'] === pointer,
    )
    const fields = places.flatMap((place) => [...place.querySelectorAll<HTMLElement>(FIELDS)])
    const field = fields.find((candidate) => candidate.ariaInvalid === 'true') ?? fields[0]
    field?.focus()
  })
}

/**
 * Moves the focus into the tab in front, after it is drawn: to the first field of its form, else to the button that
 * sends, else to the first button or link.
 */
export function focusTabWhenThere(): void {
  requestAnimationFrame(() =>
    focusWhenThere(() => {
      const panel = panelInFront()
      const form = panel.querySelector('form')
      return (
        form?.querySelector<HTMLElement>(FIELDS) ??
        panel.querySelector<HTMLElement>('[data-runs]:not(:disabled)') ??
        panel.querySelector<HTMLElement>('button:not(:disabled), a[href]')
      )
    }),
  )
}

function panelInFront(): ParentNode {
  return document.getElementById('workbench-panel') ?? document
}
