import type { OAuthStep } from '../../server-core/host/contract/authorization.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { JsonView } from '../json/json-view.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { repeatStep } from './authorization-actions.ts'
import { stepName } from './authorization-look.ts'
import styles from './authorization.module.css'
import { RequestEditor } from './request-editor.tsx'
import { timeText } from '../text/times.ts'
import { authorizationText } from './text.ts'

/** One step whole: why it was taken, what was decided, what was sent and what came back. */
export function StepDetail({ serverId, step }: { serverId: string; step: OAuthStep }) {
  const { request, response, decision, why, edited } = step
  return (
    <section className={styles.detail} aria-label={authorizationText.stepDetail.step}>
      <div className={styles.detailHead}>
        <h3>{stepName(step)}</h3>
        <span className="t3">{timeText(step.at)}</span>
        {edited === true && <span className="mark">{authorizationText.stepDetail.changedByYou}</span>}
        <span className={styles.end}>
          <CopyButton label={authorizationText.stepDetail.copyStep} text={JSON.stringify(step, null, 2)} />
          {step.state !== 'waiting' && (
            <Button onClick={() => void repeatStep(serverId, step.id)}>
              {authorizationText.stepDetail.repeatFromHere}
            </Button>
          )}
        </span>
      </div>
      <dl className={styles.words}>
        <dt>{authorizationText.stepDetail.decision}</dt>
        <dd>
          <SafeText>{decision === '' ? authorizationText.stepDetail.noneYet : decision}</SafeText>
        </dd>
        <dt>{authorizationText.stepDetail.why}</dt>
        <dd>
          <SafeText>{why}</SafeText>
        </dd>
      </dl>
      {step.state === 'waiting' && request !== undefined ? (
        <RequestEditor serverId={serverId} stepId={step.id} request={request} />
      ) : (
        request !== undefined && (
          <Part
            title={authorizationText.stepDetail.request}
            line={`${request.method} ${request.url}`}
            headers={request.headers}
            body={request.body ?? ''}
          />
        )
      )}
      {response !== undefined && (
        <Part
          title={authorizationText.stepDetail.response}
          line={`HTTP ${String(response.status)}`}
          headers={response.headers}
          body={response.body}
        />
      )}
    </section>
  )
}

interface PartProps {
  title: string
  line: string
  headers: Readonly<Record<string, string>>
  body: string
}

function Part({ title, line, headers, body }: PartProps) {
  return (
    <div className={styles.part} role="group" aria-label={title}>
      <div className={styles.partHead}>{title}</div>
      <p className={styles.line}>
        <SafeText>{line}</SafeText>
      </p>
      <dl className={styles.headers}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>
              <SafeText>{name}</SafeText>
            </dt>
            <dd>
              <SafeText>{value}</SafeText>
            </dd>
          </div>
        ))}
      </dl>
      {body !== '' &&
        (/^\s*[[{]/.test(body) ? (
          <div className={styles.json}>
            <JsonView text={body} label={authorizationText.stepDetail.bodyOfThe(title)} isCompact />
          </div>
        ) : (
          <p className={styles.line}>
            <SafeText>{body}</SafeText>
          </p>
        ))}
    </div>
  )
}
