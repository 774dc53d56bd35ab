import type { HttpFacts } from '../../ports/tap.ts'
import {
  counted,
  importedMessage,
  isJsonRpc,
  parsedJson,
  type ImportedFrame,
  type ImportedTraffic,
} from './imported-traffic.ts'

const REQUEST_LINE = /^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\s+(\S+)(?:\s+HTTP\/[\d.]+)?\s*$/
const HEADER = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/

/** Whether a text looks like a file of HTTP requests. */
export function isHttpFile(text: string): boolean {
  return text.split('\n').some((line) => /^(?:GET|POST|DELETE)\s+(?:https?:|\{\{|\/)/.test(line))
}

/** Reads the requests of a `.http` file. It has no answers, and variables of editors stay as they are. */
export function importHttpFile(text: string, now = Date.now()): ImportedTraffic {
  const frames: ImportedFrame[] = []
  let [others, variables] = [0, 0]
  for (const block of text.replaceAll('\r\n', '\n').split(/^###.*$/m)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => REQUEST_LINE.test(line))
    if (at === -1) continue
    const [, method = 'GET', url = '/'] = REQUEST_LINE.exec(lines[at] ?? '') ?? []
    const headers: Record<string, string> = {}
    let end = at + 1
    for (; end < lines.length && (lines[end] ?? '').trim() !== ''; end += 1) {
      const [, name, value = ''] = HEADER.exec(lines[end] ?? '') ?? []
      if (name !== undefined) headers[name.toLowerCase()] = value
    }
    const body = lines.slice(end).join('\n').trim()
    if (!isJsonRpc(parsedJson(body))) {
      others += 1
      continue
    }
    if (block.includes('{{')) variables += 1
    const http: HttpFacts = { exchange: frames.length + 1, method, url, headers }
    const serverName = URL.canParse(url) ? new URL(url).host : 'imported'
    frames.push({
      at: now,
      serverName,
      transport: 'http',
      frame: importedMessage('sent', Buffer.from(body), http),
    })
  }
  return {
    frames,
    notes: [
      'a list of requests has no answers and no times',
      ...(others > 0 ? [`${counted(others, 'request', 'requests')} without an MCP message left out`] : []),
      ...(variables > 0
        ? [`${counted(variables, 'request', 'requests')} with variables such as {{host}}`]
        : []),
    ],
  }
}
