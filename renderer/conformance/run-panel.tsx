import { useRef, type KeyboardEvent } from 'react'
import type {
  CallPermissionChoice,
  RunSummary,
  RunView,
} from '../../server-core/host/contract/conformance.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu } from '../controls/menu.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { Select } from '../controls/select.tsx'
import { useServers } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { countText, counted } from '../text/measures.ts'
import { dayText, secondText } from '../text/times.ts'
import styles from './conformance.module.css'
import { cancelRun, exportReport, runAgain } from './conformance-actions.ts'
import { openOptions, runWithPermission } from './run-with-permission.ts'
import { conformanceText } from './text.ts'
import { isUnderWay, useLiveRun } from './use-run.ts'
import { chosenArea, chosenCheck, showChecksOf, shownKind, showRun, type Kind } from './view-state.ts'

const { runPanel: text, calls, formats, tabs } = conformanceText

interface RunPanelProps {
  server: ServerState
  run: RunView | undefined
  runs: readonly RunSummary[]
  permission: CallPermissionChoice | undefined
}

/** What is examined, how, and the areas of the run that is shown. */
export function RunPanel({ server, run, runs, permission }: RunPanelProps) {
  const liveRun = useLiveRun()
  const underWay = liveRun !== undefined && isUnderWay(liveRun) ? liveRun : undefined
  return (
    <>
      <Bar end={run !== undefined && !isUnderWay(run) && <RunMenu run={run} permission={permission} />}>
        <h2>{conformanceText.page.conformance}</h2>
      </Bar>
      <KindSwitch />
      <div className={styles.form}>
        <span className={styles.label}>{text.server}</span>
        <ServerSelect server={server} />
        <span className={styles.label}>{text.calls}</span>
        <span className={classes('small', 'clip', styles.value)}>{permissionText(permission)}</span>
        {runs.length > 0 && (
          <>
            <span className={styles.label}>{text.runs}</span>
            <Select
              label={text.runs}
              options={runs.map((each) => ({ value: String(each.number), label: runName(each) }))}
              value={run === undefined ? null : String(run.number)}
              placeholder={text.noRuns}
              onValueChange={(number) => showRun(Number(number))}
            />
          </>
        )}
        {runs.length > 1 && <RunHistory runs={runs} shown={run?.number} />}
        <div className={styles.buttons}>
          {underWay === undefined ? (
            <Button
              tone="primary"
              icon="run"
              keys="mod+shift+enter"
              disabled={server.approval !== 'approved'}
              onClick={() => runWithPermission(server, permission)}
            >
              {text.runAll}
            </Button>
          ) : (
            <Button icon="stop" onClick={() => void cancelRun()}>
              {text.cancel}
            </Button>
          )}
          <Button disabled={server.approval !== 'approved' || underWay !== undefined} onClick={openOptions}>
            {text.options}
          </Button>
        </div>
        {underWay !== undefined && underWay.serverId !== server.id && (
          <p className={classes('small', 't2', styles.whole)}>{text.running(underWay.serverName)}</p>
        )}
      </div>
      {run !== undefined && run.areas.length > 0 && <Areas run={run} />}
      {run !== undefined && !isUnderWay(run) && <Footer run={run} />}
    </>
  )
}

/** The stored runs as a strip, oldest first. The list above it shows one of them. */
function RunHistory({ runs, shown }: { runs: readonly RunSummary[]; shown: number | undefined }) {
  return (
    <>
      <span className={styles.label}>{text.history}</span>
      <ol className={styles.history} aria-label={text.history}>
        {runs.toReversed().map((each) => {
          const { number, counts } = each
          const failed = failuresOf({ counts })
          const warned = counts['warned'] ?? 0
          const words = `${runName(each)}: ${text.outcome(failed, warned)}`
          return (
            <li
              key={number}
              className={classes(
                failed > 0 ? styles.runFailed : warned > 0 ? styles.runWarned : styles.runPassed,
                number === shown && styles.runShown,
              )}
              title={words}
            >
              <span className="vh">{words}</span>
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** The server alone, for what has no runs. */
export function ServerPanel({ server }: { server: ServerState }) {
  return (
    <>
      <Bar>
        <h2>{conformanceText.page.conformance}</h2>
      </Bar>
      <KindSwitch />
      <div className={styles.form}>
        <span className={styles.label}>{text.server}</span>
        <ServerSelect server={server} />
      </div>
    </>
  )
}

function ServerSelect({ server }: { server: ServerState }) {
  const servers = useServers()
  return (
    <Select
      label={text.server}
      options={servers.map(({ id, name }) => ({ value: id, label: name }))}
      value={server.id}
      onValueChange={showChecksOf}
    />
  )
}

/** The three kinds of the page. */
export function KindSwitch() {
  const kind = useObservable(shownKind)
  return (
    <div className={styles.kinds}>
      <Segmented<Kind>
        label={tabs.kinds}
        options={(['server', 'client', 'definitions'] as const).map((value) => ({
          value,
          label: tabs[value],
        }))}
        value={kind}
        onValueChange={(next) => shownKind.set(next)}
      />
    </div>
  )
}

function permissionText(permission: CallPermissionChoice | undefined): string {
  if (permission === undefined) return calls.notChosen
  if (permission.type === 'none') return calls.none
  return permission.type === 'readOnly'
    ? calls.readOnly
    : calls.tools(counted(permission.names.length, 'tool'))
}

function runName({ number, startedAt, repeated }: RunSummary): string {
  const isToday = dayText(startedAt) === dayText(Date.now())
  const when = isToday ? secondText(startedAt) : dayText(startedAt)
  return repeated === undefined
    ? text.runName(number, when)
    : text.repeated(number, when, counted(repeated, 'check'))
}

function RunMenu({ run, permission }: { run: RunView; permission: CallPermissionChoice | undefined }) {
  const names = Object.keys(formats) as (keyof typeof formats)[]
  return (
    <>
      {run.verdict !== undefined && run.cells.length > 0 && (
        <Menu
          trigger={<IconButton label={text.export} icon="export" />}
          entries={names.map((format) => ({
            type: 'item',
            label: formats[format],
            onSelect: () => void exportReport(run, format),
          }))}
        />
      )}
      <Menu
        trigger={<IconButton label={text.runMenu} icon="more" />}
        entries={[
          {
            type: 'item',
            label: text.rerunFailed,
            icon: 'restart',
            disabled: failuresOf(run) === 0,
            onSelect: () => void runAgain(run, permission, { type: 'failed' }),
          },
          { type: 'item', label: text.options, icon: 'settings', onSelect: openOptions },
        ]}
      />
    </>
  )
}

function failuresOf({ counts }: Pick<RunView, 'counts'>): number {
  return (counts['failed'] ?? 0) + (counts['broken'] ?? 0) + (counts['flaky'] ?? 0)
}

/** The areas of the specification, as a list of which one is chosen. */
function Areas({ run: { areas } }: { run: RunView }) {
  const list = useRef<HTMLUListElement>(null)
  const chosen = useObservable(chosenArea)
  const sum = areas.reduce(
    (all, { total, failed, warned, ended }) => ({
      total: all.total + total,
      failed: all.failed + failed,
      warned: all.warned + warned,
      ended: all.ended + ended,
    }),
    { total: 0, failed: 0, warned: 0, ended: 0 },
  )
  const rows = [{ name: undefined, ...sum }, ...areas]
  const active = Math.max(
    0,
    rows.findIndex(({ name }) => name === chosen),
  )
  const choose = (place: number): void => {
    const row = rows[place]
    if (row === undefined) return
    chosenArea.set(row.name)
    chosenCheck.set(undefined)
    list.current?.querySelectorAll('[role="option"]')[place]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') choose(active + 1)
    else if (event.key === 'ArrowUp') choose(active - 1)
    else if (event.key === 'Home') choose(0)
    else if (event.key === 'End') choose(rows.length - 1)
    else return
    event.preventDefault()
  }
  return (
    <ul
      ref={list}
      role="listbox"
      aria-label={text.areas}
      aria-activedescendant={`area-${active}`}
      tabIndex={0}
      className={styles.areas}
      onKeyDown={onKeyDown}
    >
      {rows.map(({ name, total, failed, warned, ended }, place) => {
        const [icon, tone] =
          failed > 0
            ? (['st-fail', 'is-error'] as const)
            : warned > 0
              ? (['warn', 'is-warn'] as const)
              : ended < total
                ? (['st-busy', 't3'] as const)
                : (['check', 't3'] as const)
        return (
          <li
            key={name ?? ''}
            id={`area-${place}`}
            role="option"
            aria-selected={place === active}
            className={classes(styles.area, place === active && styles.chosen)}
            onClick={() => choose(place)}
          >
            <span className={tone}>
              <Icon name={icon} />
            </span>
            <span className="clip" title={name}>
              {name ?? text.allChecks}
              <span className="vh">{failed > 0 ? text.failed(failed) : ''}</span>
            </span>
            <span className={styles.count}>{countText(total)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Footer({ run }: { run: RunView }) {
  const { newFailures, peer } = run
  return (
    <div className={styles.footer}>
      {peer !== undefined && (
        <div className="clip">
          {peer.name} {peer.version}
        </div>
      )}
      <div>
        {newFailures > 0 ? (
          <>
            <span className="is-error">{counted(newFailures, 'new failure')}</span>
          </>
        ) : (
          text.noNewFailures
        )}
      </div>
    </div>
  )
}
