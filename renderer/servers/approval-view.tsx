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
import { serversText } from './text.ts'

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
        {serversText.approvalView.couldNotLoadApproval} {approval.error.message}
      </p>
    )
  }
  if (approval.data === undefined) return null
  return <Question server={server} approval={approval.data} />
}

function Question({ server, approval }: { server: ServerState; approval: Approval }) {
  const stdio = approval.target.transport === 'stdio'
  return (
    <section aria-label={serversText.approvalView.approvalOf(server.name)} className={styles.section}>
      <div className={styles.head}>
        <span className="t3">
          <Icon name="st-hold" />
        </span>
        <h2 className={styles.title}>
          {stdio ? serversText.approvalView.start : serversText.approvalView.connectTo}{' '}
          <SafeText>{server.name}</SafeText>?
        </h2>
        {approval.approvedBefore !== undefined && (
          <span className={classes('mark', 'mark-warn', styles.marks)}>
            {serversText.approvalView.changedSinceApprovalOn} {dayText(approval.approvedBefore)}
          </span>
        )}
      </div>
      <p className={styles.lead}>
        {stdio ? serversText.approvalView.commandWarning : serversText.approvalView.addressWarning}
        {hidesSecrets(approval.target)
          ? serversText.approvalView.secretsHidden
          : serversText.approvalView.shownInFull}
      </p>
      <Warnings warnings={approval.warnings ?? []} />
      <Target approval={approval} />
      <div className={styles.acts}>
        <Button tone="primary" onClick={() => void approveServer(server, approval.hash, true)}>
          {stdio ? serversText.approvalView.approveAndStart : serversText.approvalView.approveAndConnect}
        </Button>
        <Button onClick={() => void approveServer(server, approval.hash, false)}>
          {stdio ? serversText.approvalView.approveDontStart : serversText.approvalView.approveDontConnect}
        </Button>
        <Button onClick={() => openEditServer(server.id)}>{serversText.approvalView.edit}</Button>
        <Button tone="quiet" className={styles.last} onClick={() => void removeServer(server)}>
          {serversText.approvalView.remove}
        </Button>
      </div>
      <p className={styles.hint}>
        {stdio ? serversText.approvalView.commandScope : serversText.approvalView.addressScope}
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
    <ul aria-label={serversText.approvalView.warnings} className={styles.warnings}>
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
          <dt>{serversText.approvalView.command}</dt>
          <dd>
            <SafeText exact>{target.command}</SafeText>
          </dd>
          <dt>{serversText.approvalView.arguments}</dt>
          <dd>
            {target.args.length === 0 ? (
              <span className={styles.note}>{serversText.approvalView.none}</span>
            ) : (
              <ol className={styles.numbered}>
                {target.args.map((argument, place) => (
                  <li key={place}>
                    <span>{place + 1}</span>
                    <span>
                      {argument === '' ? (
                        <span className={styles.note}>{serversText.approvalView.empty}</span>
                      ) : (
                        <SafeText exact>{argument}</SafeText>
                      )}
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </dd>
          <dt>{serversText.approvalView.resolvesTo}</dt>
          <dd>
            {approval.resolvesTo === undefined ? (
              <span className={styles.flag}>
                <Icon name="warn" />
                {serversText.approvalView.notInPath}
              </span>
            ) : (
              <SafeText exact>{approval.resolvesTo}</SafeText>
            )}
          </dd>
          <dt>{serversText.approvalView.folder}</dt>
          <dd>
            {target.cwd === undefined ? (
              <span className={styles.note}>{serversText.approvalView.theWorkspace}</span>
            ) : (
              <SafeText exact>{target.cwd}</SafeText>
            )}
          </dd>
          <dt>{serversText.approvalView.environment}</dt>
          <dd>
            {target.env.map((pair) => (
              <PairLine key={pair.name} pair={pair} loadsCode={approval.loadsCode.includes(pair.name)} />
            ))}
            <div className={styles.pair}>
              <span className="t2">{serversText.approvalView.inherited}</span>
              <span>
                <SafeText>{approval.inherited.join(', ')}</SafeText>
              </span>
            </div>
          </dd>
          <dt>{serversText.approvalView.headers}</dt>
          <dd>
            <span className={styles.note}>{serversText.approvalView.noneStdio}</span>
          </dd>
        </>
      ) : (
        <>
          <dt>{serversText.approvalView.url}</dt>
          <dd>
            <SafeText exact>{target.url}</SafeText>
          </dd>
          <dt>{serversText.approvalView.headers}</dt>
          <dd>
            {target.headers.length === 0 && (
              <span className={styles.note}>{serversText.approvalView.noneOfYours}</span>
            )}
            {target.headers.map((pair) => (
              <PairLine key={pair.name} pair={pair} loadsCode={false} />
            ))}
          </dd>
        </>
      )}
      <ChoiceLines target={target} />
      <dt>{serversText.approvalView.approval}</dt>
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
          <dt>{serversText.approvalView.transport}</dt>
          <dd>{transportName(target)}</dd>
        </>
      )}
      {protocol !== 'auto' && (
        <>
          <dt>{serversText.approvalView.revision}</dt>
          <dd>{protocol}</dd>
        </>
      )}
      {declaration !== undefined && (
        <>
          <dt>{serversText.approvalView.declares}</dt>
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
          {serversText.approvalView.affectsWhatRuns}
        </span>
      )}
      {pair.kept === true && <span className={styles.note}>{serversText.approvalView.storedSecret}</span>}
    </div>
  )
}
