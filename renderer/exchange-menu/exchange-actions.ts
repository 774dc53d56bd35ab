import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import type { ComparedExchange } from '../comparison/comparison-state.ts'
import { openComposer } from '../composer/open-composer.ts'
import { sendAgain } from '../composer/send-again.ts'
import { copyText } from '../controls/clipboard.ts'
import { showFailure, showToast } from '../controls/toast.tsx'
import { copyAs, type CopyFormat } from '../copy-as/copy-formats.ts'
import { prettyJson } from '../copy-as/copied-exchange.ts'
import { readExchange } from '../copy-as/read-exchange.ts'
import { showPage } from '../state/page.ts'
import { timeText } from '../text/times.ts'
import { exchangeMenuText } from './text.ts'

const text = exchangeMenuText.actions
const MASK = '⟨redacted⟩'

/** Copies an exchange in a format. Never rejects. */
export async function copyExchange(
  row: Exchange,
  recording: string | undefined,
  format: CopyFormat,
): Promise<void> {
  try {
    const exchange = await readExchange(row, recording)
    const copied = copyAs(format, exchange)
    if (copied === undefined) throw new Error(format === 'curl' ? text.notHttp : text.notOneMessage)
    await copyText(copied)
    const isMasked = copied.includes(MASK)
    const namesSecrets =
      exchange.server.type !== 'unknown' &&
      exchange.server.secrets.length > 0 &&
      (format === 'typescript' || format === 'python')
    showToast({
      title: text.copied(exchangeMenuText.menu.formats[format]),
      ...(isMasked ? { detail: text.masked } : namesSecrets ? { detail: text.secretsNamed } : {}),
      tone: isMasked ? 'warn' : 'ok',
      subject: 'copied exchange',
    })
  } catch (error) {
    showFailure(text.couldNotCopy, error)
  }
}

/** Whether the request of a row can be sent again: one of our client to a server. */
export function isSendable({ side, kind, direction }: Exchange): boolean {
  return side === 'client' && direction === 'sent' && (kind === 'request' || kind === 'notification')
}

/** Sends the request of a row again and shows in the composer what comes back. Never rejects. */
export async function sendRowAgain(row: Exchange): Promise<void> {
  await withRequest(row, async (request) => {
    showPage('inspector')
    await sendAgain(row.serverId, request)
  })
}

/** Opens the request of a row in the composer. Never rejects. */
export async function editRow(row: Exchange): Promise<void> {
  await withRequest(row, (request) => {
    showPage('inspector')
    openComposer(row.serverId, prettyJson(request))
  })
}

async function withRequest(row: Exchange, action: (request: string) => Promise<void> | void): Promise<void> {
  try {
    const { request } = await readExchange(row, undefined)
    await action(request)
    if (request.includes(MASK)) showToast({ title: text.masked, tone: 'warn' })
  } catch (error) {
    showFailure(text.couldNotRead, error)
  }
}

/** A row as one side of a comparison. */
export function comparedRow(row: Exchange, recording: string | undefined): ComparedExchange {
  return {
    title: `${visibleText(row.label || row.method)}, ${timeText(row.startedAt)}`,
    frames: [...row.frames],
    ...(recording !== undefined && { recording }),
  }
}

/** The newest earlier row that asked the same of the same server: the one before a repeated call. */
export function previousCall(rows: readonly (Exchange | undefined)[], row: Exchange): Exchange | undefined {
  return rows.findLast(
    (each) =>
      each !== undefined &&
      each.id !== row.id &&
      each.startedAt <= row.startedAt &&
      each.serverId === row.serverId &&
      each.kind === row.kind &&
      each.method === row.method &&
      each.label === row.label,
  )
}
