/**
 * Parsers of what crosses between the shell's main process and the host. They are written by hand: every message of a
 * window and every call of a script passes here.
 */
import type { ProcessRequest } from '../processes/process-starter.ts'
import type { HostToShell, ShellStart, ShellToHost } from './shell-messages.ts'

/** Reads a message of the shell to the host; undefined if it is invalid. */
export function parseShellToHost(value: unknown): ShellToHost | undefined {
  if (!isRecord(value)) return undefined
  const { type, processId, requestId, windowId, data, message, options } = value
  switch (type) {
    case 'start':
      return isShellStart(options) ? { type, options } : undefined
    case 'window':
      return isId(windowId) && isData(data) ? { type, windowId, data } : undefined
    case 'window-closed':
      return isId(windowId) ? { type, windowId } : undefined
    case 'open-workspace': {
      const { folder } = value
      return isText(folder) ? { type, folder } : undefined
    }
    case 'process-started': {
      const { pid } = value
      return isId(processId) && isId(pid) ? { type, processId, pid } : undefined
    }
    case 'process-failed':
      return isId(processId) && isText(message) ? { type, processId, message } : undefined
    case 'process-message':
      return isId(processId) && 'message' in value ? { type, processId, message } : undefined
    case 'process-output': {
      const { stream, bytes } = value
      const isOutput = (stream === 'stdout' || stream === 'stderr') && bytes instanceof Uint8Array
      return isId(processId) && isOutput ? { type, processId, stream, bytes } : undefined
    }
    case 'process-exited': {
      const { code } = value
      return isId(processId) && (code === null || isNumber(code)) ? { type, processId, code } : undefined
    }
    case 'cipher-done': {
      const { result, shouldReEncrypt } = value
      if (!isId(requestId) || !isData(result)) return undefined
      if (shouldReEncrypt === undefined) return { type, requestId, result }
      return typeof shouldReEncrypt === 'boolean' ? { type, requestId, result, shouldReEncrypt } : undefined
    }
    case 'cipher-failed':
      return isId(requestId) && isText(message) ? { type, requestId, message } : undefined
    case 'stop':
      return { type }
    default:
      return undefined
  }
}

/** Reads a message of the host to the shell; undefined if it is invalid. */
export function parseHostToShell(value: unknown): HostToShell | undefined {
  if (!isRecord(value)) return undefined
  const { type, processId, requestId, windowId, data, message } = value
  switch (type) {
    case 'ready':
    case 'activate':
      return { type }
    case 'failed':
      return isText(message) ? { type, message } : undefined
    case 'window':
      return isId(windowId) && isData(data) ? { type, windowId, data } : undefined
    case 'process-start': {
      const { request } = value
      return isId(processId) && isProcessRequest(request) ? { type, processId, request } : undefined
    }
    case 'process-post':
      return isId(processId) && 'message' in value ? { type, processId, message } : undefined
    case 'process-kill':
      return isId(processId) ? { type, processId } : undefined
    case 'cipher-encrypt': {
      const { text } = value
      return isId(requestId) && isText(text) ? { type, requestId, text } : undefined
    }
    case 'cipher-decrypt': {
      const { bytes } = value
      return isId(requestId) && bytes instanceof Uint8Array ? { type, requestId, bytes } : undefined
    }
    default:
      return undefined
  }
}

function isShellStart(value: unknown): value is ShellStart {
  if (!isRecord(value)) return false
  const { profile, workspace, startFolder, mcpPort, version, distFolder, encryption } = value
  return (
    [profile, version, distFolder].every(isText) &&
    [workspace, startFolder].every((each) => each === undefined || isText(each)) &&
    (mcpPort === undefined || isNumber(mcpPort)) &&
    (encryption === 'system' || encryption === 'plain')
  )
}

function isProcessRequest(value: unknown): value is ProcessRequest {
  if (!isRecord(value)) return false
  const { entry, args, execArgv, env, name } = value
  return (
    isText(entry) &&
    isText(name) &&
    isTexts(args) &&
    (execArgv === undefined || isTexts(execArgv)) &&
    isRecord(env) &&
    isPlain(env) &&
    Object.values(env).every(isText)
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A map or a date is an object too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isTexts(value: unknown): value is readonly string[] {
  // Each by number: `every` passes over holes.
  return Array.isArray(value) && Array.from<unknown>(value).every(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isData(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
