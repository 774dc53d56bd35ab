import type { TestOfInput } from '../../server-core/host/contract/recordings.ts'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { showFailure } from '../controls/toast.tsx'
import { readExchange } from '../copy-as/read-exchange.ts'
import { live } from '../host/live.ts'
import { Observable } from '../state/observable.ts'
import { dayText, secondText } from '../text/times.ts'
import { timeline } from '../timeline/selection.ts'
import { testFileText } from './text.ts'

const text = testFileText.actions
/** Frames that the host takes at once. */
const MOST_FRAMES = 1_000

/** What a test is made of. */
export type TestedExchange = {
  readonly input: TestOfInput
  /** The first name of the file. */
  readonly fileName: string
  /** The server has variables or headers, which a test does not get. */
  readonly hasSecrets: boolean
}

/** The exchange whose test is shown. */
export const openTest = new Observable<TestedExchange | undefined>(undefined)

/** Whether a row can be a test: a request that a client sent. */
export function isTestable({ kind, direction, outcome }: Exchange): boolean {
  return kind === 'request' && direction === 'sent' && outcome !== 'open'
}

/**
 * Shows the test of a row.
 *
 * @param rows the timeline that has it, with the questions of the server inside it
 * @param recording the recording that has its frames, if they are not those of the timeline
 */
export async function showTest(
  row: Exchange,
  rows: readonly (Exchange | undefined)[],
  recording: string | undefined,
): Promise<void> {
  try {
    const inside = rows.filter((each) => each?.parentId === row.id).flatMap((each) => each?.frames ?? [])
    const frames = [...new Set([...row.frames, ...inside])].toSorted((one, other) => one - other)
    const { server, hasSecrets } = await testedServer(row, recording)
    const { serverName, startedAt, label, method } = row
    openTest.set({
      input: {
        exchange: { frames: frames.slice(0, MOST_FRAMES), ...(recording !== undefined && { recording }) },
        source: testFileText.source(
          visibleText(serverName).slice(0, 200) || 'a server',
          `${dayText(startedAt)} ${secondText(startedAt)}`,
        ),
        ...(server !== undefined && { server }),
      },
      fileName: fileNameOf(label || method),
      hasSecrets,
    })
  } catch (error) {
    showFailure(text.couldNotOpen, error)
  }
}

/** Shows the test of an exchange of the timeline, by its id. */
export async function showTestOf(exchangeId: string): Promise<void> {
  const { rows, tree } = timeline.view.get()
  const row = rows[tree.placeOf(exchangeId) ?? -1]
  if (row === undefined) showFailure(text.couldNotOpen, new Error(text.gone))
  else await showTest(row, rows, undefined)
}

type TestedServer = { readonly server: TestOfInput['server']; readonly hasSecrets: boolean }

async function testedServer(row: Exchange, recording: string | undefined): Promise<TestedServer> {
  if (recording !== undefined) return { server: undefined, hasSecrets: false }
  const state = live.parts.servers.get().find(({ id }) => id === row.serverId)
  // The server of this app is the workspace, in which the test is saved.
  if (row.side === 'server' || state?.origin === 'embedded')
    return { server: { workspace: '.' }, hasSecrets: false }
  const { server } = await readExchange(row, undefined)
  switch (server.type) {
    case 'unknown':
      return { server: undefined, hasSecrets: false }
    case 'command': {
      const { command, args, env, secrets } = server
      const hasSecrets = Object.keys(env).length + secrets.length > 0
      return { server: { command, args: [...args] }, hasSecrets }
    }
    case 'url': {
      const { url, headers, secrets } = server
      return { server: { url }, hasSecrets: Object.keys(headers).length + secrets.length > 0 }
    }
  }
}

function fileNameOf(what: string): string {
  const name = what.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-._]+|[-._]+$/g, '')
  return `${name.slice(0, 60) || 'recorded'}.spec.ts`
}
