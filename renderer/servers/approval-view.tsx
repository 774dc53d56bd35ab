import { useQuery } from '@tanstack/react-query'
import type { Approval, ServerState, ServerTarget } from '../../server-core/host/contract/servers.ts'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { query } from '../host/api.ts'
import { SafeText } from '../text/safe-text.tsx'
import { hashLines } from './hash-lines.ts'
import styles from './panel.module.css'
import { openEditServer } from './dialogs.ts'
import { approveServer, removeServer } from './server-actions.ts'
import { transportName } from './server-look.ts'
import { dayText } from '../text/times.ts'

/** Shows everything that would run or be sent, and asks for approval. */
export function ApprovalView({ server }: { server: ServerState }) {
  const options = query.servers.approval.queryOptions({ input: { id: server.id } })
  const approval = useQuery({
    ...options,
    // The hash is part of the key: an outdated approval is never shown.
    queryKey: [...options.queryKey, server.approvalHash],
    gcTime: 0,
    staleTime: 0,
  })
  if (approval.error !== null) {
    return (
      <p className="is-error" role="alert">
        What would be approved could not be fetched: {approval.error.message}
      </p>
    )
  }
  if (approval.data === undefined) return null
  return <Question server={server} approval={approval.data} />
}

function Question({ server, approval }: { server: ServerState; approval: Approval }) {
  const stdio = approval.target.transport === 'stdio'
  return (
    <section aria-label={`Approval of ${server.name}`} className={styles.section}>
      <div className={styles.head}>
        <span className="t3">
          <Icon name="st-hold" />
        </span>
        <h2 className={styles.title}>
          {stdio ? 'Start' : 'Connect to'} <SafeText>{server.name}</SafeText>?
        </h2>
        {approval.approvedBefore !== undefined && (
          <span className={classes('mark', 'mark-warn', styles.marks)}>
            changed since you approved it on {dayText(approval.approvedBefore)}
          </span>
        )}
      </div>
      <p className={styles.lead}>
        {stdio
          ? 'This runs a program on your computer with your rights. '
          : 'This sends what is below to the address, and whatever you call with it. '}
        {hidesSecrets(approval.target)
          ? 'Secret values are hidden; everything else is shown in full.'
          : 'Everything is shown in full.'}
      </p>
      <Warnings warnings={approval.warnings ?? []} />
      <Target approval={approval} />
      <div className={styles.acts}>
        <Button tone="primary" onClick={() => void approveServer(server, approval.hash, true)}>
          {stdio ? 'Approve and start' : 'Approve and connect'}
        </Button>
        <Button onClick={() => void approveServer(server, approval.hash, false)}>
          {stdio ? 'Approve, don’t start' : 'Approve, don’t connect'}
        </Button>
        <Button onClick={() => openEditServer(server.id)}>Edit…</Button>
        <Button tone="quiet" className={styles.last} onClick={() => void removeServer(server)}>
          Remove
        </Button>
      </div>
      <p className={styles.hint}>
        {stdio
          ? 'Approval covers exactly this command, these arguments, folder and environment. Any change asks again.'
          : 'Approval covers exactly this address and these headers. Any change asks again.'}
      </p>
    </section>
  )
}

function hidesSecrets(target: ServerTarget): boolean {
  const pairs = target.transport === 'stdio' ? target.env : target.headers
  return pairs.some(({ kept }) => kept === true)
}

/** Warnings, each with its reason. */
function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <ul aria-label="Warnings" className={styles.warnings}>
      {warnings.map((warning) => (
        <li key={warning} className={styles.flag}>
          <Icon name="warn" />
          <span>
            <SafeText>{warning}</SafeText>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Target({ approval }: { approval: Approval }) {
  const { target } = approval
  return (
    <dl className={styles.facts}>
      {target.transport === 'stdio' ? (
        <>
          <dt>command</dt>
          <dd>
            <SafeText exact>{target.command}</SafeText>
          </dd>
          <dt>arguments</dt>
          <dd>
            {target.args.length === 0 ? (
              <span className={styles.note}>none</span>
            ) : (
              <ol className={styles.numbered}>
                {target.args.map((argument, place) => (
                  <li key={place}>
                    <span>{place + 1}</span>
                    <span>
                      {argument === '' ? (
                        <span className={styles.note}>empty</span>
                      ) : (
                        <SafeText exact>{argument}</SafeText>
                      )}
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </dd>
          <dt>resolves to</dt>
          <dd>
            {approval.resolvesTo === undefined ? (
              <span className={styles.flag}>
                <Icon name="warn" />
                nothing in PATH has this name; starting it will fail
              </span>
            ) : (
              <SafeText exact>{approval.resolvesTo}</SafeText>
            )}
          </dd>
          <dt>folder</dt>
          <dd>
            {target.cwd === undefined ? (
              <span className={styles.note}>the workspace</span>
            ) : (
              <SafeText exact>{target.cwd}</SafeText>
            )}
          </dd>
          <dt>environment</dt>
          <dd>
            {target.env.map((pair) => (
              <PairLine key={pair.name} pair={pair} loadsCode={approval.loadsCode.includes(pair.name)} />
            ))}
            <div className={styles.pair}>
              <span className="t2">inherited</span>
              <span>
                <SafeText>{approval.inherited.join(', ')}</SafeText>
              </span>
            </div>
          </dd>
          <dt>headers</dt>
          <dd>
            <span className={styles.note}>none, stdio</span>
          </dd>
        </>
      ) : (
        <>
          <dt>URL</dt>
          <dd>
            <SafeText exact>{target.url}</SafeText>
          </dd>
          <dt>headers</dt>
          <dd>
            {target.headers.length === 0 && <span className={styles.note}>none of yours</span>}
            {target.headers.map((pair) => (
              <PairLine key={pair.name} pair={pair} loadsCode={false} />
            ))}
          </dd>
        </>
      )}
      <ChoiceLines target={target} />
      <dt>approval</dt>
      <dd className={styles.hash}>{hashLines(approval.hash)}</dd>
    </dl>
  )
}

/** The chosen transport, revision and declared capabilities. Omits automatic choices. */
function ChoiceLines({ target }: { target: ServerTarget }) {
  const { protocol = 'auto', declaration } = target
  return (
    <>
      {target.transport !== 'stdio' && target.transport !== 'auto' && (
        <>
          <dt>transport</dt>
          <dd>{transportName(target)}</dd>
        </>
      )}
      {protocol !== 'auto' && (
        <>
          <dt>revision</dt>
          <dd>{protocol}</dd>
        </>
      )}
      {declaration !== undefined && (
        <>
          <dt>declares</dt>
          <dd>
            <pre className={styles.json}>
              <SafeText>{JSON.stringify(declaration, null, 2)}</SafeText>
            </pre>
          </dd>
        </>
      )}
    </>
  )
}

interface PairLineProps {
  pair: { name: string; value: string; kept?: boolean | undefined }
  loadsCode: boolean
}

function PairLine({ pair, loadsCode }: PairLineProps) {
  return (
    <div className={classes(styles.pair, loadsCode && styles.loads)}>
      <span className="t2">
        <SafeText exact>{pair.name}</SafeText>
      </span>
      <span>
        <SafeText exact>{pair.value}</SafeText>
      </span>
      {loadsCode && (
        <span className={styles.flag}>
          <Icon name="warn" />
          affects what runs
        </span>
      )}
      {pair.kept === true && <span className={styles.note}>stored secret</span>}
    </div>
  )
}
