import { stderrReason } from '../client/stderr-reason.ts'
import { durationText } from '../protocol/duration-text.ts'
import type { TransportEvidence } from '../ports/contract.ts'

/** What was being done when it failed: the words differ, the evidence does not. */
export type FailureMoment = 'connecting' | 'connected'

/**
 * Where the user can fix it: in the window, or in the flags of the command line (`stored` if the server itself is
 * kept in Patchbay and only changed there).
 */
export type FailurePlace = 'window' | 'flags' | 'stored'

export type FailureFacts = {
  readonly code: string
  readonly message: string
  readonly moment: FailureMoment
  readonly place: FailurePlace
  readonly facts: TransportEvidence
}

type Words = { readonly title: string; readonly explanation: string }

const CREDENTIALS: Readonly<Record<FailurePlace, string>> = {
  window: 'Edit the server and enter its bearer token.',
  flags: "Give its token with --header 'Authorization: Bearer …'.",
  stored: "Edit the server in Patchbay's window and enter its bearer token.",
}

const AUTHORIZE: Readonly<Record<Exclude<FailurePlace, 'window'>, string>> = {
  flags:
    'Run it on a terminal, where it opens your browser (--authorize: without asking first), or give a token with ' +
    "--header 'Authorization: Bearer …'.",
  stored:
    'Run it on a terminal, where it opens your browser (--authorize: without asking first), or authorize ' +
    "it in Patchbay's window.",
}

const OTHER_ADDRESS: Readonly<Record<FailurePlace, string>> = {
  window: 'Edit the server and enter that address if you trust it.',
  flags: 'Give that address to --url if you trust it.',
  stored: "Edit the server in Patchbay's window and enter that address if you trust it.",
}

const OTHER_FOLDER: Readonly<Record<FailurePlace, string>> = {
  window: 'Make the folder, or edit the server and choose one that is there.',
  flags: 'Make the folder, or give one that is there to --cwd.',
  stored: "Create the folder, or edit the server in Patchbay's window and choose one that exists.",
}

const TRUST_CERTIFICATE: Readonly<Record<FailurePlace, string>> = {
  window:
    'If its certificate is from an authority of your own, start Patchbay with NODE_EXTRA_CA_CERTS set to the file of ' +
    'that authority.',
  flags: '--cacert FILE trusts a certificate or authority of your own; --insecure skips the check.',
  stored: '--cacert FILE trusts a certificate or authority of your own; --insecure skips the check.',
}

const words = (title: string, explanation: string): Words => ({ title, explanation })

/** What happened in one line, and what it means and what to do. */
export function explainFailure(failure: FailureFacts): Words {
  const { code, message, facts } = failure
  switch (code) {
    case 'spawn-failed':
      return spawnFailed(failure)
    case 'process-exited':
      return processExited(failure)
    case 'connection-failed':
      return connectionFailed(failure)
    case 'certificate':
      return words(
        `The certificate of ${hostOf(facts)} is not accepted`,
        `${sentence(certificateReason(message))} Nothing was sent. ${TRUST_CERTIFICATE[failure.place]}`,
      )
    case 'host-refused':
      return hostRefused(failure)
    case 'unauthorized':
      return words(
        `${hostOf(facts)} answered ${facts.httpStatus ?? 401}: not authorised`,
        facts.httpStatus === 403
          ? 'The server knows who asks and refuses. Check that the token belongs to this server and may do this.'
          : `The server wants credentials, or does not accept the ones it got. ${CREDENTIALS[failure.place]}`,
      )
    case 'authorization-needed':
      return words(
        `${hostOf(facts)} asks for authorization`,
        failure.place === 'window'
          ? `${sentence(message)} Authorize, and your browser opens its page.`
          : `${sentence(message)} ${AUTHORIZE[failure.place]}`,
      )
    case 'authorization-failed':
      return words(
        `Authorization at ${hostOf(facts)} failed`,
        failure.place === 'window'
          ? `${sentence(message)} Its steps show how far it came.`
          : sentence(message),
      )
    case 'http-status':
      return httpStatus(failure)
    case 'not-mcp':
      return notMcp(failure)
    case 'limit':
      return words(
        'A limit was passed',
        `${sentence(message)} The connection was ended to keep Patchbay responsive.`,
      )
    case 'stalled':
      return words(
        'The server does not read',
        `${sentence(message)} Restart it; if it happens again it is stuck.`,
      )
    case 'timeout':
      return timedOut(failure)
    case 'pipe-closed':
      return words(
        'The process closed its pipes and lives on',
        `${sentence(message)} It was ended, because no message could pass any more. Restart it.`,
      )
    case 'refused':
      return words(
        `${whoOf(facts)} answered the handshake with an error${failedStatus(facts)}`,
        `${sentence(message)} It speaks MCP and does not want this connection; its own words say why.`,
      )
    case 'version-mismatch':
      return words(
        'No revision is spoken by both sides',
        `${sentence(message)} Update the server, or use another version of it.`,
      )
    case 'invalid-answer':
      return words(
        `The first answer of ${facts.url === undefined ? 'the process' : hostOf(facts)} cannot be used`,
        failure.place === 'window'
          ? `${sentence(message)} The answer is on the timeline, as it came.`
          : sentence(message),
      )
    case 'cancelled':
      return failure.moment === 'connected'
        ? words('The request was cancelled', 'Its answer is not waited for.')
        : words('Connecting was cancelled', 'Nothing is left running.')
    case 'closed':
      return words('The connection was closed', sentence(message))
    default:
      return words('The connection failed', sentence(message))
  }
}

/** The title names the address already. */
function certificateReason(message: string): string {
  return message.replace(/^the certificate of \S+ is not accepted: /, '')
}

function hostRefused({ message, facts }: FailureFacts): Words {
  const host = hostOf(facts)
  const name = URL.parse(facts.url ?? '')?.hostname ?? host
  return words(
    `${host} does not accept requests with this Host or Origin`,
    `${sentence(message)} This is not a question of authorization: the server checks which name it is addressed by. Use ` +
      `the name that it expects, often localhost or 127.0.0.1, or let it accept "${name}" ` +
      `(patchbay serve: --allow-host ${name}).`,
  )
}

function spawnFailed({ message, facts, place }: FailureFacts): Words {
  if (facts.folder !== undefined && facts.folderProblem !== undefined) {
    const what = facts.folderProblem === 'missing' ? 'does not exist' : 'is not a folder'
    const title = facts.folderProblem === 'missing' ? `The folder ${facts.folder}` : facts.folder
    return words(
      `${title} ${what}`,
      `"${facts.program ?? 'The command'}" is to start there, so nothing was started. ${OTHER_FOLDER[place]}`,
    )
  }
  const command = facts.program ?? facts.command ?? 'The command'
  if (facts.madeFor !== undefined)
    return words(`${command} was made for another machine (${facts.madeFor})`, sentence(message))
  if (facts.interpreter !== undefined)
    return words(`What runs ${command} was not found: ${facts.interpreter}`, sentence(message))
  const what: Readonly<Record<string, string>> = {
    ENOENT: 'was not found',
    EACCES: 'may not be executed',
    EPERM: 'may not be executed',
    ENOEXEC: 'is not a program',
  }
  return words(`${command} ${what[facts.systemCode ?? ''] ?? 'could not be started'}`, sentence(message))
}

function processExited({ moment, facts, place }: FailureFacts): Words {
  const reason = stderrReason(facts.stderr)
  const after = facts.afterMs === undefined ? '' : `after ${durationText(facts.afterMs)}`
  const restart =
    place === 'window' ? 'Everything it wrote until then is on the timeline. Restart it with one click.' : ''
  if (facts.signal !== undefined) {
    return words(
      `ended by ${facts.signal} ${after}`.trim(),
      joined(signalMeaning(facts.signal), stderrHint(facts), restart),
    )
  }
  const code = facts.exitCode ?? 0
  if (facts.madeFor !== undefined) {
    return words(
      `${facts.program ?? 'The command'} was made for another machine (${facts.madeFor})`,
      joined(
        `The process exited with code ${code}, because it cannot run here. Install the program for this machine.`,
        stderrHint(facts),
      ),
    )
  }
  const title = reason === undefined ? `exit ${code} ${after}`.trim() : `exit ${code} · ${reason}`
  if (moment === 'connected') return words(title, joined(stderrHint(facts), restart))
  const shell = SHELL_CODES[code] ?? ''
  if (reason !== undefined) {
    return words(
      title,
      joined('The process ended before it answered.', shell, stderrHint(facts), folderHint(facts)),
    )
  }
  if (facts.strayOutput !== undefined) {
    const explanation =
      'The process wrote text on stdout that is not an MCP message, and nothing on stderr. It is probably another ' +
      'program, or one that prints its usage. Check the command and its arguments.'
    return words(title, joined(explanation, folderHint(facts)))
  }
  if (code === 0) {
    return words(
      title,
      joined(
        'The process ended without an error. A server runs until its client closes stdin: this command may not be a ' +
          'stdio server, or need an argument (often "stdio").',
        folderHint(facts),
      ),
    )
  }
  return words(
    title,
    joined(
      'The process ended before it answered.',
      shell,
      'It wrote nothing on stderr.',
      folderHint(facts),
      'Check the command, its arguments and its environment variables.',
    ),
  )
}

/** What shells and `env` mean by the codes that they end with themselves. */
const SHELL_CODES: Readonly<Record<number, string>> = {
  126: 'The code says that something it starts may not be executed.',
  127: 'The code says that something it starts was not found: an interpreter or another command, in its PATH.',
}

/** Where the paths among the arguments count from; the first thing to look at when a file is not found. */
function folderHint({ folder, relativePaths = [] }: TransportEvidence): string {
  if (folder === undefined || relativePaths.length === 0) return ''
  return `It ran in the folder ${folder}, where relative paths such as ${relativePaths[0] ?? ''} start.`
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter((each) => each !== '').join(' ')
}

function stderrHint({ stderr }: TransportEvidence): string {
  return stderr === undefined || stderr.trim() === '' ? '' : 'The end of its stderr is below.'
}

function signalMeaning(signal: string): string {
  if (signal === 'SIGKILL') return 'Somebody killed it, or the system did because memory ran out.'
  if (signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP') return 'Somebody asked it to end.'
  if (signal === 'SIGSEGV' || signal === 'SIGABRT' || signal === 'SIGBUS') return 'It crashed.'
  return 'It did not end by itself.'
}

function connectionFailed({ message, moment, facts, place }: FailureFacts): Words {
  const host = hostOf(facts)
  if (moment === 'connected')
    return words(
      `The connection to ${host} was lost`,
      `${sentence(message)} ${place === 'window' ? 'Restart it to connect again.' : 'Run the command again.'}`,
    )
  switch (facts.systemCode) {
    case 'ECONNREFUSED':
      return words(
        `${host} refuses connections (ECONNREFUSED)`,
        'The machine answers, and nothing listens on that port. Start the server, or check the port in the address.',
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return words(
        `The name ${host} is not known (${facts.systemCode})`,
        'Check the spelling of the address and whether this machine is online.',
      )
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return words(
        `${host} broke the connection off (${facts.systemCode})`,
        'It accepted the connection and closed it without an answer. Is it an HTTP server, and is https right for it?',
      )
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return words(
        `${host} cannot be reached (${facts.systemCode})`,
        'Check the address, the network and the firewall.',
      )
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return words(
        `${host} does not speak TLS (${facts.systemCode})`,
        'The address asks for an encrypted connection, and the server has none there. Is it http:// (or ws://) instead?',
      )
    default:
      return facts.closeCode === undefined
        ? words(`No connection to ${host} came about`, sentence(message))
        : words(
            `${host} closed the connection with ${facts.closeCode}`,
            `${sentence(message)} It opened the WebSocket first, so something listens there and does not want this client.`,
          )
  }
}

function httpStatus({ message, facts, place }: FailureFacts): Words {
  const status = facts.httpStatus ?? 0
  const title = `${hostOf(facts)} answered HTTP ${status}`
  const sibling = siblingOfSse(facts)
  if ((status === 404 || status === 405) && sibling !== undefined) {
    return words(
      title,
      'There is a web server, and no MCP endpoint at this path. It is a usual one of HTTP+SSE (2024-11-05), which is tried ' +
        `where the transport is automatic. Many servers speak Streamable HTTP instead: try ${sibling}.`,
    )
  }
  if (status === 404 || status === 405) {
    return words(
      title,
      'There is a web server, and no MCP endpoint at this path. Check the path: it is often /mcp.' +
        htmlHint(facts),
    )
  }
  if (status < 300 && facts.url?.startsWith('ws') === true) {
    return words(
      title,
      'A web server answers there and opens no WebSocket. Check the path, which is often /ws, or choose another transport.' +
        htmlHint(facts),
    )
  }
  if (status >= 500)
    return words(
      title,
      `The server failed. Its answer stands below.${htmlHint(facts)} Look into its own log.`,
    )
  if (status >= 300 && status < 400) {
    const location = facts.httpHeaders?.['location']
    const there = location === undefined ? '' : ` It points to ${location}.`
    return words(
      title,
      `The server redirects, and a redirect is not followed by itself.${there} ${OTHER_ADDRESS[place]}`,
    )
  }
  return words(title, `${sentence(message)} Its answer stands below.`)
}

/** Where a server whose address ends in `/sse`, as those of HTTP+SSE do, has Streamable HTTP if it has it. */
function siblingOfSse({ url }: TransportEvidence): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url)
  if (parsed === null || !/\/sse\/?$/.test(parsed.pathname)) return undefined
  return `${parsed.origin}${parsed.pathname.replace(/sse\/?$/, 'mcp')}`
}

function htmlHint({ httpHeaders }: TransportEvidence): string {
  return httpHeaders?.['content-type']?.includes('html') === true ? ' It sent a web page.' : ''
}

function notMcp({ message, moment, facts }: FailureFacts): Words {
  if (facts.url === undefined && facts.httpStatus === undefined) {
    return words(
      'What the process writes is not MCP',
      `${sentence(message)} A server may write nothing but messages on stdout. Check that the command starts a stdio server.`,
    )
  }
  // What spoke MCP before is at the right address.
  if (moment === 'connected')
    return words(
      `${hostOf(facts)} sent an answer that is not MCP`,
      `${sentence(message)}${htmlHint(facts)} The connection was sound before.`,
    )
  if (htmlHint(facts) !== '') {
    return words(
      `${hostOf(facts)} sent a web page, not MCP`,
      'The address leads to a page for people. Use the address of its MCP endpoint, often with the path /mcp.',
    )
  }
  return words(`${hostOf(facts)} does not answer with MCP`, `${sentence(message)} Check the address.`)
}

function timedOut({ message, moment, facts, place }: FailureFacts): Words {
  if (moment === 'connected') {
    const longer = place === 'window' ? '' : ' --timeout MS waits longer.'
    return words(
      `${hostOf(facts)} does not answer`,
      `${sentence(message)} It answered before: it may be busy, or its answer was lost.${longer}`,
    )
  }
  const doing =
    facts.url === undefined
      ? 'It runs and says nothing that answers. It may wait for input, still be installing, or be no MCP server.'
      : 'It accepted the request and never answered it.'
  const strayOutput =
    facts.strayOutput === undefined ? '' : ' It wrote text on stdout that is not a message; it stands below.'
  return words(`${whoOf(facts)} does not answer`, `${sentence(message)} ${doing}${strayOutput}`)
}

/** The HTTP status, if it says by itself that something failed. */
function failedStatus({ httpStatus }: TransportEvidence): string {
  return httpStatus !== undefined && httpStatus >= 400 ? ` (HTTP ${httpStatus})` : ''
}

function whoOf(facts: TransportEvidence): string {
  return facts.url === undefined ? 'The process' : hostOf(facts)
}

function hostOf({ url }: TransportEvidence): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : 'The server'
}

function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  // An address keeps its case.
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed)
  const start = isAddress ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(start) ? start : `${start}.`
}
