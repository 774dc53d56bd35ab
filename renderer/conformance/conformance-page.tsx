import type { CallPermissionChoice, RunView } from '../../server-core/host/contract/conformance.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { useShortcut } from '../controls/use-shortcut.ts'
import { showServer } from '../servers/server-actions.ts'
import { useObservable } from '../state/observable.ts'
import { showPage } from '../state/page.ts'
import { CheckView } from './check-detail.tsx'
import { ClientExam } from './client-exam.tsx'
import { Columns } from './columns.tsx'
import { ChecksPanel } from './checks-panel.tsx'
import styles from './conformance.module.css'
import { Matrix } from './matrix.tsx'
import { OptionsDialog } from './options-dialog.tsx'
import { RunPanel, ServerPanel } from './run-panel.tsx'
import { openOptions, runWithPermission } from './run-with-permission.ts'
import { ServerDefinitions } from './server-definitions.tsx'
import { conformanceText } from './text.ts'
import { isUnderWay, useExaminedServer, useRuns, useShownCell, useShownRun } from './use-run.ts'
import { chosenCell, chosenCheck, choosingOptions, shownKind } from './view-state.ts'

const { page: text, empty, detail } = conformanceText

/** The checks of servers, the exam of a client, and what servers list against what was approved. */
export default function ConformancePage() {
  const kind = useObservable(shownKind)
  return (
    <main className={styles.page} aria-label={text.conformance}>
      {kind === 'client' ? <ClientExam /> : <OfShownServer />}
    </main>
  )
}

function OfShownServer() {
  const server = useExaminedServer()
  const kind = useObservable(shownKind)
  if (server !== undefined)
    return kind === 'server' ? <OfServer server={server} /> : <DefinitionsOf server={server} />
  return (
    <EmptyState
      title={empty.noServer}
      actions={<Button onClick={() => showPage('inspector')}>{empty.goToInspector}</Button>}
    >
      {empty.noServerText}
    </EmptyState>
  )
}

function OfServer({ server }: { server: ServerState }) {
  const { runs, permission } = useRuns(server.id)
  const { run, isKnown } = useShownRun(server.id)
  const isChoosing = useObservable(choosingOptions)
  useShortcut('mod+shift+enter', () => {
    if (server.approval === 'approved' && (run === undefined || !isUnderWay(run)))
      runWithPermission(server, permission)
  })
  return (
    <>
      <Columns
        left={<RunPanel server={server} run={run} runs={runs} permission={permission} />}
        middle={<Middle server={server} run={run} permission={permission} isKnown={isKnown} />}
        detail={<Detail run={run} permission={permission} />}
      />
      {isChoosing && (
        <OptionsDialog server={server} permission={permission} onClose={() => choosingOptions.set(false)} />
      )}
    </>
  )
}

function DefinitionsOf({ server }: { server: ServerState }) {
  return (
    <Columns
      left={<ServerPanel server={server} />}
      middle={<ServerDefinitions server={server} />}
      detail={undefined}
    />
  )
}

interface ShownRunProps {
  run: RunView | undefined
  permission: CallPermissionChoice | undefined
}

function Middle({
  server,
  run,
  permission,
  isKnown,
}: ShownRunProps & { server: ServerState; isKnown: boolean }) {
  if (run === undefined) return isKnown ? <NoRun server={server} /> : null
  if (run.cells.length === 0) return <NoCells run={run} />
  return <CellsAndChecks run={run} permission={permission} />
}

function CellsAndChecks({ run, permission }: { run: RunView; permission: CallPermissionChoice | undefined }) {
  const cell = useShownCell(run)
  return (
    <>
      {run.phase === 'cancelled' && (
        <p className={styles.note} role="status">
          <b>{empty.cancelled}.</b> {empty.cancelledText}
        </p>
      )}
      {run.problem !== undefined && run.phase !== 'cancelled' && (
        <p className={styles.problem} role="alert">
          {run.problem}
        </p>
      )}
      <Matrix
        run={run}
        selected={cell}
        onSelect={({ revision, transport }) => {
          chosenCell.set({ revision, transport })
        }}
      />
      {cell !== undefined && <ChecksPanel run={run} cell={cell} permission={permission} />}
    </>
  )
}

/** Nothing was examined yet, or it is not approved. */
function NoRun({ server }: { server: ServerState }) {
  if (server.approval === 'approved') {
    return (
      <EmptyState
        title={empty.noRun}
        actions={
          <Button tone="primary" icon="run" onClick={openOptions}>
            {empty.run}
          </Button>
        }
      >
        {empty.noRunText(server.name)}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={empty.notApproved(server.name)}
      actions={
        <Button
          onClick={() => {
            showPage('inspector')
            showServer(server.id)
          }}
        >
          {empty.openServer}
        </Button>
      }
    >
      {empty.notApprovedText}
    </EmptyState>
  )
}

/** A run that has no cell: it looks for them, found none, or failed. */
function NoCells({ run }: { run: RunView }) {
  if (isUnderWay(run)) {
    return (
      <p className={styles.starting} role="status">
        {empty.starting}
      </p>
    )
  }
  const title =
    run.phase === 'failed' ? empty.failed : run.phase === 'cancelled' ? empty.cancelled : empty.unreached
  return (
    <EmptyState title={title} actions={<Button onClick={openOptions}>{empty.tryAgain}</Button>}>
      {run.problem !== undefined && <p role="alert">{run.problem}</p>}
      {run.unsupported.length > 1 && (
        <ul className={styles.reasons}>
          {run.unsupported.map(({ revision, transport, reason }) => (
            <li key={`${revision} ${transport}`}>
              <b>
                {revision}, {conformanceText.matrix.transports[transport]}
              </b>{' '}
              {reason}
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  )
}

function Detail({
  run,
  permission,
}: {
  run: RunView | undefined
  permission: CallPermissionChoice | undefined
}) {
  if (run === undefined || run.cells.length === 0) return <NothingSelected />
  return <DetailOf run={run} permission={permission} />
}

function DetailOf({ run, permission }: { run: RunView; permission: CallPermissionChoice | undefined }) {
  const cell = useShownCell(run)
  const id = useObservable(chosenCheck)
  if (cell === undefined || id === undefined) return <NothingSelected />
  return <CheckView key={id} run={run} cell={cell} id={id} permission={permission} />
}

function NothingSelected() {
  return <p className={styles.nothing}>{detail.select}</p>
}
