import { Icon } from '../controls/icon.tsx'
import { countText } from '../text/measures.ts'
import { conformanceText } from './text.ts'
import { isUnderWay, useExaminedServer, useShownRun } from './use-run.ts'

const { statusBar: text } = conformanceText

/** What the status bar says of the run that is shown. */
export function ConformanceStatus() {
  const server = useExaminedServer()
  return server === undefined ? null : <OfServer serverId={server.id} />
}

function OfServer({ serverId }: { serverId: string }) {
  const { run } = useShownRun(serverId)
  if (run === undefined) return <span>{text.none}</span>
  const { counts, expected, seed } = run
  const count = (...names: string[]): number => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)
  const failed = count('failed', 'broken', 'flaky') - expected
  const left = count('queued', 'running')
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return (
    <>
      {isUnderWay(run) && <span>{text.running(countText(total - left), countText(total))}</span>}
      <span className="row">
        {failed > 0 && (
          <span className="is-error">
            <Icon name="st-fail" />
          </span>
        )}
        <b>{text.failed(countText(failed))}</b>
      </span>
      {expected > 0 && <span>{text.expected(countText(expected))}</span>}
      <span>{text.passed(countText(count('passed')))}</span>
      <span>{text.warnings(countText(count('warned')))}</span>
      <span>{text.inconclusive(countText(count('inconclusive')))}</span>
      <span>{text.notApplicable(countText(count('notApplicable')))}</span>
      {seed !== undefined && <span>{text.seed(seed)}</span>}
    </>
  )
}
