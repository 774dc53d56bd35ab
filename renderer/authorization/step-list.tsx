import type { KeyboardEvent } from 'react'
import type { OAuthStep } from '../../server-core/host/contract/authorization.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { classes } from '../controls/classes.ts'
import { StateMark } from '../controls/state-mark.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { stepLook, stepName } from './authorization-look.ts'
import styles from './authorization.module.css'
import { authorizationText } from './text.ts'

interface StepListProps {
  steps: readonly OAuthStep[]
  selectedId: string | undefined
  onSelect: (id: string) => void
}

/** The steps in their order. Arrow keys choose one. */
export function StepList({ steps, selectedId, onSelect }: StepListProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = steps.findIndex(({ id }) => id === selectedId)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const next = steps[Math.max(0, Math.min(steps.length - 1, at + step))]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    onSelect(next.id)
  }
  return (
    <div
      className={styles.list}
      role="listbox"
      aria-label={authorizationText.stepList.steps}
      tabIndex={0}
      {...(selectedId === undefined ? {} : { 'aria-activedescendant': `step-${selectedId}` })}
      onKeyDown={onKeyDown}
    >
      {steps.map((step, place) => {
        const look = stepLook(step)
        return (
          <div
            key={step.id}
            id={`step-${step.id}`}
            role="option"
            aria-selected={step.id === selectedId}
            className={classes(styles.step, step.id === selectedId && styles.selected)}
            onClick={() => onSelect(step.id)}
          >
            <span className={styles.place}>{place + 1}</span>
            <StateMark look={look}>
              <span className="vh">{look.word}, </span>
            </StateMark>
            <span className={styles.name}>{stepName(step)}</span>
            <span className={classes(styles.gist, 'clip')}>
              <SafeText>{step.decision === '' ? step.why : step.decision}</SafeText>
            </span>
            <span className={styles.took}>
              {step.response !== undefined && `${String(step.response.status)} `}
              {step.durationMs !== undefined && durationText(step.durationMs)}
            </span>
          </div>
        )
      })}
    </div>
  )
}
