import type { ServerDraft } from '../../server-core/host/contract/servers.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './forms.module.css'
import { transportName } from './server-look.ts'

/** Everything that a draft would run or send. */
export function DraftFacts({ draft }: { draft: ServerDraft }) {
  const { target } = draft
  if (target.transport !== 'stdio') {
    return (
      <dl className={styles.facts}>
        <dt>URL</dt>
        <dd>
          <SafeText>{target.url}</SafeText>
        </dd>
        {target.transport !== 'auto' && <dt>transport</dt>}
        {target.transport !== 'auto' && <dd>{transportName(target)}</dd>}
        {target.headers.length > 0 && <dt>headers</dt>}
        {target.headers.length > 0 && (
          <dd>
            {target.headers.map((pair) => (
              <span key={pair.name}>
                <SafeText>{`${pair.name}: ${pair.value}`}</SafeText>
              </span>
            ))}
          </dd>
        )}
        {draft.bearerToken !== undefined && <dt>token</dt>}
        {draft.bearerToken !== undefined && <dd>a bearer token, kept with the secrets</dd>}
      </dl>
    )
  }
  return (
    <dl className={styles.facts}>
      <dt>command</dt>
      <dd>
        <SafeText>{target.command}</SafeText>
      </dd>
      {target.args.length > 0 && <dt>arguments</dt>}
      {target.args.length > 0 && (
        <dd>
          {target.args.map((argument, place) => (
            <span key={place}>
              <SafeText>{argument}</SafeText>
            </span>
          ))}
        </dd>
      )}
      {target.cwd !== undefined && <dt>folder</dt>}
      {target.cwd !== undefined && (
        <dd>
          <SafeText>{target.cwd}</SafeText>
        </dd>
      )}
      {target.env.length > 0 && <dt>environment</dt>}
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
