import type { CheckDetail } from '../../server-core/host/contract/conformance.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { bytesText, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { timeText } from '../text/times.ts'
import styles from './detail.module.css'
import { conformanceText } from './text.ts'

const { detail: text } = conformanceText

type Frame = CheckDetail['frames'][number]

/** The frames that show a finding, with the offending member marked. */
export function FrameList({ check }: { check: CheckDetail }) {
  return (
    <div className={styles.frames} role="group" aria-label={text.frames}>
      {check.frames.map((frame) => (
        <FrameBox key={frame.index} frame={frame} member={memberOf(check, frame)} />
      ))}
    </div>
  )
}

function FrameBox({ frame, member }: { frame: Frame; member: string | undefined }) {
  const { from, head, kind, index, at, bytes } = frame
  const isOurs = from === 'client'
  const name = isOurs ? text.clientToServer : text.serverToClient
  return (
    <section className={styles.frame} aria-label={`${text.frame(countText(index))}, ${name}`}>
      <div className={styles.frameHead}>
        <span className={isOurs ? 'k-request' : 'k-response'}>
          <Icon name={isOurs ? 'out-request' : 'in-response'} />
        </span>
        <span className="clip">
          {name}
          {kind !== 'message' && `, ${kind}`}
          {head !== undefined && (
            <>
              {' · '}
              <SafeText>{head}</SafeText>
            </>
          )}
        </span>
        <span className={styles.frameEnd}>
          <span>{text.frame(countText(index))}</span>
          <span>{timeText(at)}</span>
          <span>{bytesText(bytes)}</span>
        </span>
      </div>
      {frame.text !== '' && (
        <div className={classes('code', styles.code)} tabIndex={0} role="group" aria-label={name}>
          {frame.text.split('\n').map((line, place) => (
            <span
              key={place}
              className={classes(
                'l',
                member !== undefined && line.trimStart().startsWith(`"${member}":`) && 'is-bad',
              )}
            >
              <SafeText>{line === '' ? ' ' : line}</SafeText>
            </span>
          ))}
        </div>
      )}
    </section>
  )
}

/** The name of the member that a finding complains of, if the frame has only one of that name. */
function memberOf({ findings }: CheckDetail, { index, text: shown }: Frame): string | undefined {
  const member = findings
    .find(({ frames }) => frames[0] === index)
    ?.member?.split('/')
    .at(-1)
  return member !== undefined && shown.split(`"${member}":`).length === 2 ? member : undefined
}
