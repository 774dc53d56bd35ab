import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { test as base, type ExpectMatcherState, type MatcherReturnType } from '@playwright/test'
import { compareCalls, type ComparedCall } from '../../comparison/compare-calls.ts'
import { changeText } from '../../comparison/change-text.ts'
import { recordedCalls, type RecordedCall } from '../../comparison/recorded-calls.ts'
import { systemCode } from '../../workspace/storage-error.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { opensConnection } from '../../replay/client-side/replay-plan.ts'
import { keepRecording } from '../recording.ts'
import { TestSetupError } from '../test-error.ts'
import { callsOfTimeline } from '../timeline/timeline-calls.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { matcherResult } from './failure-text.ts'

/** What `toMatchRecording` lets pass. */
export type RecordingMatchOptions = {
  /** Patterns of JSON pointers that are not compared, such as `/result/structuredContent/at`; `*` is any one step. */
  readonly ignore?: readonly string[]
}

const MOST_NAMED = 10
/** The client of a test lists tools by itself. */
const LISTS = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])

/** `toMatchRecording` for the timeline. */
export const recordingMatcher = {
  /** A missing file is written and fails the test once, as with Playwright's snapshots; `-u` writes it again. */
  async toMatchRecording(
    this: ExpectMatcherState,
    received: Timeline,
    file: string,
    { ignore = [] }: RecordingMatchOptions = {},
  ): Promise<MatcherReturnType> {
    const info = base.info()
    const place = path.resolve(path.dirname(info.file), file)
    const { updateSnapshots } = info.config
    const isUpdate = updateSnapshots === 'all' || updateSnapshots === 'changed'
    const stored = isUpdate ? undefined : await viewOf(place)
    const expected = `the calls of ${file}, with the same answers`
    if (stored === undefined) {
      const isWritten = isUpdate || updateSnapshots === 'missing'
      if (isWritten)
        keepRecording(received, async (recording) => {
          await mkdir(path.dirname(place), { recursive: true })
          await copyFile(recording, place)
        })
      if (isUpdate)
        return matcherResult(this, 'toMatchRecording', { pass: true, expected, received: 'written now' })
      const hint = isWritten
        ? 'It is written when the test ends; run the test again.'
        : 'Run with --update-snapshots.'
      return matcherResult(this, 'toMatchRecording', {
        pass: false,
        expected,
        received: 'no such file',
        hint,
      })
    }
    const before = (await recordedCalls(stored)).filter(isCompared)
    const compared = compareCalls(before, callsOfTimeline(received).filter(isCompared), { ignore })
    const differences = compared.flatMap(differencesOf)
    const left = differences.length - MOST_NAMED
    return matcherResult(this, 'toMatchRecording', {
      pass: differences.length === 0,
      expected,
      received: differences.length === 0 ? 'the same' : `${differences.length} differences`,
      hint: [
        ...differences.slice(0, MOST_NAMED).map((line) => `  ${line}`),
        ...(left > 0 ? [`  … and ${left} more`] : []),
        ...(differences.length > 0 ? ['Run with --update-snapshots if the change is wanted.'] : []),
      ].join('\n'),
    })
  },
}

async function viewOf(place: string): Promise<RecordingView | undefined> {
  try {
    return await RecordingView.open(place)
  } catch (error) {
    if (error instanceof Error && systemCode(error.cause) === 'ENOENT') return undefined
    throw new TestSetupError('option', `${place} cannot be read as a recording`, { cause: error })
  }
}

/** Requests of both sides; what opens a connection differs with every client. */
function isCompared(call: RecordedCall): boolean {
  return call.kind === 'request' && call.method !== 'ping' && !opensConnection(call)
}

function differencesOf(compared: ComparedCall): string[] {
  switch (compared.type) {
    case 'before':
      return [`${nameOf(compared.before)} was not called`]
    case 'after':
      return LISTS.has(compared.after.method) ? [] : [`${nameOf(compared.after)} is not in the recording`]
    case 'both': {
      const { changes, more } = compared.comparison
      const lines = changes.map((change) => `${nameOf(compared.after)} ${changeText(change)}`)
      return more > 0 ? [...lines, `${nameOf(compared.after)}: ${more} further differences`] : lines
    }
  }
}

function nameOf({ direction, method, target }: RecordedCall): string {
  const asker = direction === 'sent' ? '' : 'the question '
  return `${asker}${method}${target === '' ? '' : ` ${target}`}`
}
