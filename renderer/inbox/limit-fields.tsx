import { useId } from 'react'
import type { ResponderLimits, ResponderSettings } from '../../server-core/host/contract/responders.ts'
import { TextField } from '../controls/text-field.tsx'
import styles from './rules.module.css'
import { inboxText } from './text.ts'

type LimitName = keyof ResponderLimits

/** What is typed for each bound; empty leaves it as it is set elsewhere. */
export type LimitForm = Readonly<Record<LimitName, string>>

const LIMITS: readonly { readonly name: LimitName; readonly label: string; readonly unit: number }[] = [
  { name: 'deadlineMs', label: inboxText.limitFields.timeoutLabel, unit: 1_000 },
  { name: 'openQuestions', label: inboxText.limitFields.maxPendingRequests, unit: 1 },
  { name: 'questionsPerMinute', label: inboxText.limitFields.maxRequestsPerMinute, unit: 1 },
  { name: 'tokensPerConnection', label: inboxText.limitFields.tokenBudgetPerConnection, unit: 1 },
  { name: 'tokensPerDay', label: inboxText.limitFields.tokenBudgetPerDay, unit: 1 },
]

/** The form of the bounds that are set. */
export function limitForm({ limits }: ResponderSettings): LimitForm {
  const text = (name: LimitName): string => {
    const unit = LIMITS.find((limit) => limit.name === name)?.unit ?? 1
    const value = limits[name]
    return value === undefined ? '' : String(value / unit)
  }
  return {
    deadlineMs: text('deadlineMs'),
    openQuestions: text('openQuestions'),
    questionsPerMinute: text('questionsPerMinute'),
    tokensPerConnection: text('tokensPerConnection'),
    tokensPerDay: text('tokensPerDay'),
  }
}

/** The bounds of a form; undefined if something in it is not a number. */
export function limitsOf(form: LimitForm): ResponderSettings['limits'] | undefined {
  const limits: ResponderSettings['limits'] = {}
  for (const { name, unit } of LIMITS) {
    if (form[name].trim() === '') continue
    const value = numberOf(form[name])
    if (value === undefined) return undefined
    limits[name] = Math.round(value * unit)
  }
  return limits
}

function numberOf(text: string): number | undefined {
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

interface LimitFieldsProps {
  form: LimitForm
  /** What holds where nothing is typed. */
  effective: ResponderLimits
  tried: boolean
  onChange: (form: LimitForm) => void
}

/** How much a server may ask for. */
export function LimitFields({ form, effective, tried, onChange }: LimitFieldsProps) {
  const id = useId()
  return (
    <section className={styles.section} aria-label={inboxText.limitFields.limits}>
      <h3>{inboxText.limitFields.limits}</h3>
      <div className={styles.limits}>
        {LIMITS.map(({ name, label, unit }) => {
          const isBroken = tried && form[name].trim() !== '' && numberOf(form[name]) === undefined
          return (
            <div key={name} className={styles.limit}>
              <label htmlFor={`${id}-${name}`}>{label}</label>
              <TextField
                id={`${id}-${name}`}
                mono
                inputMode="numeric"
                value={form[name]}
                invalid={isBroken}
                placeholder={String(effective[name] / unit)}
                onValueChange={(text) => onChange({ ...form, [name]: text })}
              />
            </div>
          )
        })}
      </div>
    </section>
  )
}
