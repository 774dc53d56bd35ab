import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import styles from './text.module.css'

interface SetAsideProps {
  /** Something else takes its place in a moment. */
  isAside: boolean
  children: ReactNode
}

/**
 * What is shown until something else takes its place: nothing can be done in it, so that nothing goes to what the user
 * has left. The focus that was in it is passed on.
 */
export function SetAside({ isAside, children }: SetAsideProps) {
  const box = useRef<HTMLDivElement>(null)
  const focused = useRef<HTMLElement | undefined>(undefined)

  // Here and not by an attribute: what is inert loses the focus, which has to be known before.
  useLayoutEffect(() => {
    if (box.current === null) return
    const { activeElement } = document
    if (isAside && activeElement instanceof HTMLElement && box.current.contains(activeElement)) {
      focused.current = activeElement
    }
    box.current.inert = isAside
  }, [isAside])

  useEffect(() => {
    if (isAside) return
    if (document.activeElement === document.body) focused.current?.focus()
    focused.current = undefined
  }, [isAside])

  return (
    <div ref={box} className={styles.aside}>
      {children}
    </div>
  )
}
