import { Icon } from '../controls/icon.tsx'
import { useTaps } from './tap-selection.ts'
import { tapText } from './text.ts'

/** What the status bar says about taps. */
export function TapStatus() {
  const taps = useTaps()
  const running = taps.filter(({ isRunning }) => isRunning).length
  const held = taps.reduce((sum, tap) => sum + tap.held.length, 0)
  return (
    <>
      <span className="row">
        <span className={running > 0 ? 'is-ok' : 't3'}>
          <Icon name={running > 0 ? 'st-on' : 'st-off'} />
        </span>
        <b>{tapText.tapStatus.taps(running)}</b>
      </span>
      {held > 0 && <span className="is-warn">{tapText.tapStatus.held(held)}</span>}
    </>
  )
}
