import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import type { IconName } from '../controls/icon.tsx'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { bytesText, counted } from '../text/measures.ts'
import { answeringMs } from './bars.ts'
import { isWaiting } from './filter.ts'
import { timelineText } from './text.ts'

/** A drawing with its colour (a global class of the theme) and what it means. */
export interface Mark {
  readonly icon: IconName
  readonly tone: string
  readonly name: string
}

/** The mark before the method: the shape is the kind, the way it points is the direction. */
export function markOf(row: Exchange): Mark {
  const sent = row.direction === 'sent'
  const way = sent ? 'client to server' : 'server to client'
  switch (row.kind) {
    case 'request': {
      if (row.probe === true) return { icon: 'out-request', tone: 't3', name: 'probe of Patchbay' }
      const failed = row.outcome === 'error' || row.outcome === 'tool-error' || row.outcome === 'lost'
      return {
        icon: sent ? 'out-request' : 'in-request',
        tone: failed ? 'k-error' : sent ? 'k-request' : 'k-server',
        name: `${failed ? 'request that failed' : 'request'}, ${way}`,
      }
    }
    case 'notification':
      return {
        icon: sent ? 'out-notification' : 'in-notification',
        tone: row.outcome === 'error' ? 'k-error' : 'k-notification',
        name: `notification, ${way}`,
      }
    case 'stderr':
      return { icon: 'stderr', tone: 'k-notification', name: 'standard error' }
    case 'invalid':
      return { icon: 'kind-error', tone: 'k-error', name: `no valid message, ${way}` }
    case 'http':
      return {
        icon: 'link',
        tone: row.outcome === 'error' ? 'k-error' : 'k-notification',
        name: timelineText.rowFacts.httpRequest,
      }
    case 'fault':
      return { icon: 'fault', tone: 'is-warn', name: 'fault made on purpose' }
    case 'lifecycle':
      return { icon: 'plug', tone: 'k-notification', name: 'connection' }
  }
}

/** The mark at the end of a bar, or of an instant in the waterfall. */
export function endMarkOf(row: Exchange): Mark {
  if (row.kind !== 'request') return markOf(row)
  if (row.probe === true) return { icon: 'in-response', tone: 't3', name: 'response' }
  switch (row.outcome) {
    case 'error':
      return { icon: 'kind-error', tone: 'k-error', name: 'error' }
    case 'lost':
      return { icon: 'st-fail', tone: 'k-error', name: 'connection lost' }
    case 'cancelled':
      return { icon: 'close', tone: 't3', name: 'cancelled' }
    default: {
      const sent = row.direction === 'sent'
      const tone = row.outcome === 'tool-error' ? 'k-error' : sent ? 'k-response' : 'k-request'
      return { icon: sent ? 'in-response' : 'out-response', tone, name: 'response' }
    }
  }
}

/** The method without what all notifications share. */
export function methodText(row: Exchange): string {
  return row.method.replace(/^notifications\//, '')
}

/** The result column: a verdict (with a tick if all is well) and a measure. */
export interface ResultText {
  readonly verdict: string
  readonly tone: '' | 'is-error' | 'is-warn' | 't3'
  readonly tick: boolean
  readonly measure: string
}

/** How a row ended and how long it took; `now`, in the unit of the row's times, counts for one that still waits. */
export function resultOf(row: Exchange, now: number): ResultText {
  const duration = durationText(Math.max(0, (row.endedAt ?? now) - row.startedAt))
  const said = (verdict: string, tone: ResultText['tone'], measure = duration): ResultText => ({
    verdict,
    tone,
    tick: false,
    measure,
  })
  switch (row.kind) {
    case 'request':
    case 'http':
      break
    case 'notification':
      if (row.outcome === 'error') return said(String(row.errorCode ?? 'error'), 'is-error', '')
      return said('', '', row.count > 1 ? `×${row.count}` : bytesText(row.bytes))
    case 'stderr':
      return said('', '', counted(row.count, 'line'))
    case 'invalid':
      return said('', '', row.count > 1 ? `×${row.count}` : bytesText(row.bytes))
    case 'fault':
    case 'lifecycle':
      return said('', '', '')
  }
  if (row.probe === true && row.outcome !== 'open') return said('probe', 't3')
  switch (row.outcome) {
    case 'open':
      return isWaiting(row) ? said('waits', 'is-warn') : said(progressText(row), 't3')
    case 'ok':
      return { verdict: '', tone: '', tick: true, measure: duration }
    case 'error':
      return said(row.errorCode === undefined ? 'error' : String(row.errorCode), 'is-error')
    case 'tool-error':
      return said('isError', 'is-error')
    case 'cancelled':
      return said('cancelled', 't3', '')
    case 'lost':
      return said('lost', 'is-error')
    case 'none':
      return said(row.errorCode === undefined ? '' : String(row.errorCode), 't3')
  }
}

/** The note beside the bar: what was dropped inside, injected faults, why it failed, or how the time was shared. */
export function noteOf(row: Exchange): string {
  const dropped =
    row.dropped === undefined ? '' : timelineText.rowFacts.insideDropped(counted(row.dropped, 'older frame'))
  const faults = (row.faults ?? []).map((fault) => `fault ${fault}`)
  return [dropped, ...faults, noteOfEnd(row)].filter((part) => part !== '').join(' · ')
}

function noteOfEnd(row: Exchange): string {
  if (row.probe === true && row.outcome === 'error') {
    const answer = [row.errorCode, row.errorMessage].filter((part) => part !== undefined).join(' ')
    return timelineText.rowFacts.discoveryNote(answer)
  }
  if (row.errorMessage !== undefined && row.kind !== 'invalid') return row.errorMessage
  if ((row.rounds ?? 1) > 1) return `${row.rounds} rounds`
  if (row.endedAt === undefined || row.waits === undefined) return ''
  const answering = answeringMs(row, row.endedAt)
  const working = Math.max(0, row.endedAt - row.startedAt - answering)
  return `server ${durationText(working)} · answering ${durationText(answering)}`
}

function progressText({ progress }: Exchange): string {
  if (progress === undefined) return ''
  if (progress.total === undefined || progress.total <= 0) return String(progress.value)
  return `${Math.round((100 * progress.value) / progress.total)} %`
}
