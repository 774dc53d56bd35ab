import { useEffect, useRef, useState, type MouseEvent } from 'react'

/** Milliseconds in which nobody sees that another action is where they are about to press. */
const UNSEEN_MS = 300

type StaleClickGuard = {
  /** Another action came under the resting pointer just now. */
  readonly isUnseen: boolean
  /** For the element whose action changes, or that contains the ones that do. */
  readonly guard: {
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
    readonly onPointerDown: () => void
    readonly onClickCapture: (event: MouseEvent) => void
  }
  /** For a button of the action: the guard, and the attributes that show that it waits. */
  readonly button: StaleClickGuard['guard'] & { readonly 'aria-disabled': true | undefined }
}

/**
 * Where one action replaces another by itself, a press that was meant for the one before does nothing: one that
 * began before the change, one just after it with the pointer resting there, and the second of a double-click. Whoever
 * moves there, or uses keys, is not held up.
 *
 * @param action which one is there now
 */
export function useStaleClickGuard(action: string): StaleClickGuard {
  const [seen, setSeen] = useState(action)
  const [isOver, setOver] = useState(false)
  const pressed = useRef<string | undefined>(undefined)
  const isUnseen = isOver && seen !== action

  useEffect(() => {
    if (seen === action) return undefined
    const timer = setTimeout(() => setSeen(action), UNSEEN_MS)
    return () => clearTimeout(timer)
  }, [action, seen])

  const guard: StaleClickGuard['guard'] = {
    onPointerEnter: () => {
      setOver(true)
      setSeen(action)
    },
    // What a finger pressed is left before it clicks.
    onPointerLeave: () => setOver(false),
    onPointerDown: () => {
      pressed.current = action
    },
    onClickCapture: (event) => {
      const began = pressed.current ?? action
      pressed.current = undefined
      // A click that no pointer made counts none.
      if (event.detail === 0 || (event.detail !== 2 && !isUnseen && began === action)) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
  return { isUnseen, guard, button: { ...guard, 'aria-disabled': isUnseen || undefined } }
}
