import { useState } from 'react'
import type { TapRule, TapRules, TapState } from '../../server-core/host/contract/taps.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { Select } from '../controls/select.tsx'
import { Switch } from '../controls/switch.tsx'
import { TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { actionText, FORM_ACTIONS, matchText, ruleOf, type FormAction } from './rule-words.ts'
import { SwapPanel } from './swap-panel.tsx'
import styles from './tap.module.css'
import { tapText } from './text.ts'

const text = tapText.rulesPanel

type Direction = 'to-server' | 'to-client' | 'both'
const DIRECTIONS = [
  { value: 'to-server', label: text.toServer },
  { value: 'to-client', label: text.toClient },
  { value: 'both', label: text.both },
] as const

/** The rules and the network conditions of a tap. Each change holds at once. */
export function RulesPanel({ tap }: { tap: TapState }) {
  const { rules, hits, isRunning } = tap
  const save = (next: TapRules): void => {
    api.taps
      .saveRules({ id: tap.id, rules: next })
      .then((state) => live.parts.taps.set(state))
      .catch((error: unknown) => showFailure(text.couldNotSave, error))
  }
  const change = (list: readonly TapRule[]): void => save({ ...rules, rules: [...list] })
  return (
    <>
      <Bar
        end={
          <Switch
            checked={rules.on}
            disabled={!isRunning}
            aria-label={text.passThrough}
            onCheckedChange={(on) => save({ ...rules, on })}
          />
        }
      >
        <h2>{text.rules}</h2>
        <span className="t3 clip">{text.firstMatch}</span>
      </Bar>
      <div className={styles.shape} tabIndex={0} role="group" aria-label={text.passThrough}>
        {rules.rules.length === 0 ? (
          <p className={styles.hint}>{text.none}</p>
        ) : (
          <table className={styles.table} aria-label={text.rules}>
            <thead>
              <tr>
                <th scope="col">{text.on}</th>
                <th scope="col">{text.match}</th>
                <th scope="col">{text.action}</th>
                <th scope="col" className={styles.figure}>
                  {text.hits}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {rules.rules.map((rule) => (
                <tr key={rule.id}>
                  <td>
                    <Switch
                      checked={rule.enabled}
                      disabled={!isRunning}
                      aria-label={text.rule(rule.id)}
                      onCheckedChange={(enabled) =>
                        change(rules.rules.map((each) => (each.id === rule.id ? { ...each, enabled } : each)))
                      }
                    />
                  </td>
                  <td className={styles.what} title={visibleText(matchText(rule))}>
                    <span className={styles.mono}>{visibleText(matchText(rule))}</span>
                  </td>
                  <td>{visibleText(actionText(rule))}</td>
                  <td className={styles.figure}>{hits[rule.id] ?? 0}</td>
                  <td>
                    <IconButton
                      tight
                      icon="close"
                      label={text.remove(rule.id)}
                      disabled={!isRunning}
                      onClick={() => change(rules.rules.filter(({ id }) => id !== rule.id))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {isRunning && (
          <>
            <RuleForm onAdd={(form) => change([...rules.rules, ruleOf(rules.rules, form)])} />
            <Network key={JSON.stringify(rules.conditions)} rules={rules} onSave={save} />
            {tap.isSwappable && <SwapPanel tap={tap} />}
          </>
        )}
      </div>
    </>
  )
}

interface RuleFormProps {
  onAdd: (form: { direction: Direction; method: string; target: string; action: FormAction }) => void
}

function RuleForm({ onAdd }: RuleFormProps) {
  const [direction, setDirection] = useState<Direction>('to-server')
  const [method, setMethod] = useState('tools/call')
  const [target, setTarget] = useState('')
  const [action, setAction] = useState<FormAction>('hold')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onAdd({ direction, method, target, action })
        setTarget('')
      }}
    >
      <Segmented label={text.direction} options={DIRECTIONS} value={direction} onValueChange={setDirection} />
      <div className={styles.pair}>
        <TextField
          mono
          aria-label={text.method}
          placeholder={text.method}
          value={method}
          onValueChange={setMethod}
        />
        <TextField
          mono
          aria-label={text.target}
          placeholder={text.target}
          value={target}
          onValueChange={setTarget}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label={text.action}
          options={FORM_ACTIONS.map((value) => ({ value, label: value }))}
          value={action}
          onValueChange={setAction}
        />
        <Button type="submit" icon="plus">
          {text.add}
        </Button>
      </div>
    </form>
  )
}

const FIELDS = [
  { name: 'latencyMs', label: text.latency },
  { name: 'jitterMs', label: text.jitter },
  { name: 'bytesPerSecond', label: text.bandwidth },
  { name: 'sliceBytes', label: text.slice },
] as const

function Network({ rules, onSave }: { rules: TapRules; onSave: (rules: TapRules) => void }) {
  const [side, setSide] = useState<'toServer' | 'toClient'>('toServer')
  const conditions = rules.conditions[side] ?? {}
  return (
    <section className={styles.network} aria-label={text.network}>
      <Bar
        end={
          <Segmented
            label={text.conditionsFor}
            options={[
              { value: 'toServer', label: text.toServer },
              { value: 'toClient', label: text.toClient },
            ]}
            value={side}
            onValueChange={setSide}
          />
        }
      >
        <h2>{text.network}</h2>
      </Bar>
      <div className={styles.fields}>
        {FIELDS.map(({ name, label }) => (
          <NumberField
            key={`${side} ${name}`}
            label={label}
            value={conditions[name]}
            onChange={(value) => {
              const { [name]: _before, ...others } = conditions
              const next = value === undefined ? others : { ...others, [name]: value }
              onSave({ ...rules, conditions: { ...rules.conditions, [side]: next } })
            }}
          />
        ))}
      </div>
    </section>
  )
}

interface NumberFieldProps {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

/** A whole number, or none. It is saved when the field is left, or on Enter. */
function NumberField({ label, value, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value))
  const isValid = /^\d{0,9}$/.test(typed.trim())
  const save = (): void => {
    const next = typed.trim() === '' || Number(typed) === 0 ? undefined : Number(typed)
    if (isValid && next !== value) onChange(next)
  }
  return (
    <label className={styles.number}>
      <span>{label}</span>
      <TextField
        mono
        inputMode="numeric"
        value={typed}
        invalid={!isValid}
        onValueChange={setTyped}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      />
    </label>
  )
}
