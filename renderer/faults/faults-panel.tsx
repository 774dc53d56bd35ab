import { useState } from 'react'
import type { FaultRule, FaultsState, FaultTransport } from '../../server-core/host/contract/faults.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Select } from '../controls/select.tsx'
import { Switch } from '../controls/switch.tsx'
import { live } from '../host/live.ts'
import { Section } from '../registry/section.tsx'
import { useObservable } from '../state/observable.ts'
import {
  allOff,
  amountText,
  probabilityText,
  countsText,
  elsewhere,
  FAULT_WORDS,
  readAmount,
  readPercent,
  readSeed,
  rowsOf,
  scopeText,
  seedText,
  withoutRule,
  withRule,
  type FaultRow,
  type RuleChange,
  type Scope,
} from './fault-rows.ts'
import styles from './faults.module.css'
import { useFaultChanges } from './use-fault-changes.ts'
import { TypedNumber } from '../controls/typed-number.tsx'
import { faultsText } from './text.ts'

const TRANSPORTS: Readonly<Record<FaultTransport, string>> = {
  stdio: 'stdio',
  http: faultsText.faultsPanel.streamableHttp,
  sse: 'HTTP+SSE',
  websocket: 'WebSocket',
  memory: 'in memory',
}
/** Tools cannot be named so: it holds a space. */
const EVERY = 'all'

interface FaultsPanelProps {
  /** Names of the tools, as clients see them. */
  tools: readonly string[]
}

/** Trouble to make for clients: what, for which tool and transport, how often, and the result. */
export function FaultsPanel({ tools }: FaultsPanelProps) {
  const state = useObservable(live.parts.faults)
  return state === undefined ? null : <Faults state={state} tools={tools} />
}

function Faults({ state, tools }: FaultsPanelProps & { state: FaultsState }) {
  const [scope, setScope] = useState<Scope>({ tool: undefined, transport: undefined })
  const { active, counts } = state
  const { settings, change } = useFaultChanges(state)
  const others = elsewhere(settings, scope)
  return (
    <Section
      title={faultsText.faultsPanel.faults}
      facts={
        active > 0 && (
          <span className="mark mark-warn">
            {active} {faultsText.faultsPanel.on}
          </span>
        )
      }
      end={
        <Button
          tone="quiet"
          disabled={!settings.rules.some(({ enabled }) => enabled)}
          onClick={() => change(allOff)}
        >
          {faultsText.faultsPanel.allOff}
        </Button>
      }
    >
      <div className={styles.scope}>
        <Select
          label={faultsText.faultsPanel.faultsForTool}
          mono={scope.tool !== undefined}
          options={[
            { value: EVERY, label: faultsText.faultsPanel.everyTool },
            ...tools.map((tool) => ({ value: tool, label: visibleText(tool) })),
          ]}
          value={scope.tool ?? EVERY}
          onValueChange={(tool) => setScope({ ...scope, tool: tool === EVERY ? undefined : tool })}
        />
        <Select
          label={faultsText.faultsPanel.faultsForTransport}
          options={[
            { value: EVERY, label: faultsText.faultsPanel.everyTransport },
            ...(Object.keys(TRANSPORTS) as FaultTransport[]).map((value) => ({
              value,
              label: TRANSPORTS[value],
            })),
          ]}
          value={scope.transport ?? EVERY}
          onValueChange={(transport) =>
            setScope({ ...scope, transport: transport === EVERY ? undefined : transport })
          }
        />
      </div>
      <table className={styles.faults} aria-label={faultsText.faultsPanel.faults}>
        <thead className="vh">
          <tr>
            <th scope="col">{faultsText.faultsPanel.on}</th>
            <th scope="col">{faultsText.faultsPanel.fault}</th>
            <th scope="col">{faultsText.faultsPanel.amount}</th>
            <th scope="col">{faultsText.faultsPanel.probability}</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(settings, scope).map((row) => (
            <Row
              key={`${scope.tool ?? ''} ${scope.transport ?? ''} ${row.kind}`}
              row={row}
              onChange={(next) => change((now) => withRule(now, scope, row.kind, next))}
            />
          ))}
        </tbody>
      </table>
      {others.length > 0 && (
        <ul className={styles.others} aria-label={faultsText.faultsPanel.activeFaultsElsewhere}>
          {others.map((rule) => (
            <Other key={rule.id} rule={rule} onOff={() => change((now) => withoutRule(now, rule))} />
          ))}
        </ul>
      )}
      <div className={styles.foot}>
        <label className={styles.seed}>
          {faultsText.faultsPanel.seed}
          <TypedNumber
            label={faultsText.faultsPanel.seed}
            text={seedText(settings.seed)}
            read={readSeed}
            onNumber={(seed) => change((now) => ({ ...now, seed }))}
          />
        </label>
        <span className={styles.counts}>{countsText(settings, counts)}</span>
      </div>
    </Section>
  )
}

function Row({ row, onChange }: { row: FaultRow; onChange: (change: RuleChange) => void }) {
  const { kind, rule, amount } = row
  const [name, effect] = FAULT_WORDS[kind]
  return (
    <tr>
      <td>
        <Switch
          aria-label={name}
          checked={rule?.enabled === true}
          onCheckedChange={(enabled) => onChange({ enabled })}
        />
      </td>
      <td title={effect}>{name}</td>
      <td className={styles.amount}>
        {amount !== undefined && (
          <>
            <TypedNumber
              label={`${name}: ${amount.unit}`}
              text={amountText(row)}
              read={(text) => readAmount(text, amount)}
              onNumber={(value) => onChange({ amount: value })}
            />
            <span>{amount.unit}</span>
          </>
        )}
      </td>
      <td className={styles.chance}>
        <TypedNumber
          label={faultsText.faultsPanel.probabilityInPercent(name)}
          text={probabilityText(row)}
          read={readPercent}
          onNumber={(percent) => onChange({ percent })}
        />
        <span>%</span>
      </td>
    </tr>
  )
}

function Other({ rule, onOff }: { rule: FaultRule; onOff: () => void }) {
  const [name] = FAULT_WORDS[rule.kind]
  const where = scopeText(rule, TRANSPORTS)
  return (
    <li>
      <span className="is-warn">
        <Icon name="fault" />
      </span>
      <span className="clip" title={visibleText(where)}>
        {name}: {visibleText(where)}
      </span>
      <IconButton
        icon="close"
        label={faultsText.faultsPanel.switchOffFor(name, visibleText(where))}
        onClick={onOff}
      />
    </li>
  )
}
