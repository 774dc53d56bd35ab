import type { ServerDraft } from '../../server-core/host/contract/servers.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './forms.module.css'
import { transportName } from './server-look.ts'
import { serversText } from './text.ts'

/** Everything that a draft would run or send. */
export function DraftFacts({ draft }: { draft: ServerDraft }) {
  const { target } = draft
  if (target.transport !== 'stdio') {
    return (
      <dl className={styles.facts}>
        <dt>{serversText.draftFacts.url}</dt>
        <dd>
          <SafeText>{target.url}</SafeText>
        </dd>
        {target.transport !== 'auto' && <dt>{serversText.draftFacts.transport}</dt>}
        {target.transport !== 'auto' && <dd>{transportName(target)}</dd>}
        {target.headers.length > 0 && <dt>{serversText.draftFacts.headers}</dt>}
        {target.headers.length > 0 && (
          <dd>
            {target.headers.map((pair) => (
              <span key={pair.name}>
                <SafeText>{`${pair.name}: ${pair.value}`}</SafeText>
              </span>
            ))}
          </dd>
        )}
        {draft.bearerToken !== undefined && <dt>{serversText.draftFacts.token}</dt>}
        {draft.bearerToken !== undefined && <dd>{serversText.draftFacts.storedToken}</dd>}
      </dl>
    )
  }
  return (
    <dl className={styles.facts}>
      <dt>{serversText.draftFacts.command}</dt>
      <dd>
        <SafeText>{target.command}</SafeText>
      </dd>
      {target.args.length > 0 && <dt>{serversText.draftFacts.arguments}</dt>}
      {target.args.length > 0 && (
        <dd>
          {target.args.map((argument, place) => (
            <span key={place}>
              <SafeText>{argument}</SafeText>
            </span>
          ))}
        </dd>
      )}
      {target.cwd !== undefined && <dt>{serversText.draftFacts.folder}</dt>}
      {target.cwd !== undefined && (
        <dd>
          <SafeText>{target.cwd}</SafeText>
        </dd>
      )}
      {target.env.length > 0 && <dt>{serversText.draftFacts.environment}</dt>}
      {target.env.length > 0 && (
        <dd>
          {target.env.map((pair) => (
            <span key={pair.name}>
              <SafeText>{`${pair.name}=${pair.value}`}</SafeText>
            </span>
          ))}
        </dd>
      )}
    </dl>
  )
}
