import { useEffect, useRef, useState, type MouseEvent } from 'react'

/** Milliseconds in which nobody sees that another deed stands where they are about to press. */
const UNSEEN_MS = 300

type ChangingDeed = {
  /** Another deed came under the resting pointer just now. */
  readonly isUnseen: boolean
  /** For the element whose deed changes, or that holds the ones that do. */
  readonly guard: {
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
    readonly onPointerDown: () => void
    readonly onClickCapture: (event: MouseEvent) => void
  }
  /** For a button that does the deed: the guard, and what tells everybody that it waits. */
  readonly button: ChangingDeed['guard'] & { readonly 'aria-disabled': true | undefined }
}

/**
 * Where one deed takes the place of another by itself, a press that was meant for the one before does nothing: one that
 * began before the change, one just after it with the pointer resting there, and the second of a double-click. Whoever
 * moves there, or uses keys, is not held up.
 *
 * @param deed which one stands there now
 */
export function useChangingDeed(deed: string): ChangingDeed {
  const [seen, setSeen] = useState(deed)
  const [isOver, setOver] = useState(false)
  const pressed = useRef<string | undefined>(undefined)
  const isUnseen = isOver && seen !== deed

  useEffect(() => {
    if (seen === deed) return undefined
    const timer = setTimeout(() => setSeen(deed), UNSEEN_MS)
    return () => clearTimeout(timer)
  }, [deed, seen])

  const guard: ChangingDeed['guard'] = {
    onPointerEnter: () => {
      setOver(true)
      setSeen(deed)
    },
    // What a finger pressed is left before it clicks.
    onPointerLeave: () => setOver(false),
    onPointerDown: () => {
      pressed.current = deed
    },
    onClickCapture: (event) => {
      const began = pressed.current ?? deed
      pressed.current = undefined
      // A click that no pointer made counts none.
      if (event.detail === 0 || (event.detail !== 2 && !isUnseen && began === deed)) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
  return { isUnseen, guard, button: { ...guard, 'aria-disabled': isUnseen || undefined } }
}
