import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

/** How a state is told apart: a shape and a word, the colour only repeats them. */
export type StateLook = {
  readonly icon: IconName
  readonly tone: 'is-ok' | 'is-warn' | 'is-error' | 't2' | 't3'
  readonly word: string
}

interface StateMarkProps {
  look: StateLook
  className?: string | undefined
  /** Announces the state when it changes. */
  isLive?: boolean
  /** In place of the word. */
  children?: ReactNode
}

/** The icon and the word of a state. */
export function StateMark({ look, className, isLive = false, children = look.word }: StateMarkProps) {
  return (
    <span className={classes(className, look.tone)} role={isLive ? 'status' : undefined}>
      <Icon name={look.icon} />
      {children}
    </span>
  )
}
