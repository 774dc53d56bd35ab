import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { compareWithLists } from '../lists/capability-check.ts'
import { isBase64 } from '../tools/content-blocks.ts'

export const resourcesCapability = serverCheck(
  'resources.server.capability',
  (probe) => compareWithLists(probe, 'resources'),
  { title: 'The capability resources agrees with its lists' },
)

const MOST = 50

export const readResources = serverCheck(
  'resources.server.read',
  async (probe) => {
    const uris = probe.server.resources.map(({ uri }) => uri).filter((uri) => typeof uri === 'string')
    if (uris.length === 0) probe.notApplicable('the server lists no resources')
    const connection = await probe.connect()
    for (const uri of uris.slice(0, MOST)) {
      const outcome = await connection.call('resources/read', { uri })
      if (outcome.type === 'error' && outcome.code === -32021) continue
      if (outcome.type !== 'result') {
        probe.warn({
          expected: `the contents of the listed resource ${uri}`,
          actual: describeOutcome(outcome),
          frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
        })
        continue
      }
      if (outcome.result['resultType'] === 'input_required') continue
      judgeContents(probe, outcome.result, outcome.frame)
    }
  },
  { title: 'Listed resources can be read' },
)

function judgeContents(probe: ServerProbe, { contents }: JsonObject, frame: CapturedFrame): void {
  if (!Array.isArray(contents)) {
    probe.fail({
      expected: 'a list of contents',
      actual: shortJson(contents),
      member: '/result/contents',
      frame,
    })
    return
  }
  for (const [index, content] of (contents as unknown[]).entries()) {
    const member = `/result/contents/${index}`
    if (!isJsonObject(content)) {
      probe.fail({ expected: 'an object', actual: shortJson(content), member, frame })
      continue
    }
    const { uri, text, blob } = content
    if (typeof uri !== 'string')
      probe.fail({ expected: 'a URI', actual: shortJson(uri), member: `${member}/uri`, frame })
    if ((typeof text === 'string') === (typeof blob === 'string'))
      probe.fail({ expected: 'either text or blob', actual: Object.keys(content).join(', '), member, frame })
    if (blob !== undefined && !isBase64(blob)) {
      probe.fail({
        expected: 'a blob in base64',
        actual: shortJson(blob),
        member: `${member}/blob`,
        statement: 'resources.binary-encoded',
        frame,
      })
    }
  }
}

/** A well-formed URI of a known scheme that is not listed and fits no template. */
function unlistedUri(probe: ServerProbe): string {
  const { resources, templates } = probe.server
  const known = [...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)]
  const schemes = known.flatMap((uri) =>
    typeof uri === 'string' ? [/^[a-z][a-z\d+.-]*:/i.exec(uri)?.[0]] : [],
  )
  const patterns = templates.map(({ uriTemplate }) => patternOf(String(uriTemplate)))
  for (const scheme of new Set([...schemes, 'patchbay:'])) {
    if (scheme === undefined) continue
    const uri = `${scheme}//patchbay-no-such-resource`
    if (!patterns.some((pattern) => pattern.test(uri)) && !known.includes(uri)) return uri
  }
  return probe.inconclusive('every URI fits a template')
}

/** Whatever a template may expand to, and more. */
function patternOf(template: string): RegExp {
  const literal = template.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`, 's')
}

export const notFound = serverCheck(
  'resources.server.not-found',
  async (probe) => {
    probe.requireCapability('resources')
    const uri = unlistedUri(probe)
    const connection = await probe.connect()
    const outcome = await connection.call('resources/read', { uri })
    const code = probe.isModern ? -32602 : -32002
    const common = {
      actual: describeOutcome(outcome),
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    }
    if (outcome.type === 'result') {
      probe.fail({
        ...common,
        expected: `error ${code} for ${uri}`,
        member: '/result/contents',
        statement: 'resources.not-found-never-empty',
      })
      return
    }
    if (outcome.type !== 'error' || outcome.code !== code) {
      probe.fail({
        ...common,
        expected: `error ${code} for ${uri}`,
        member: '/error/code',
        statement: probe.isModern ? 'resources.not-found-32602' : 'resources.not-found-32002',
        severity: probe.isModern || outcome.type !== 'error' ? 'error' : 'warning',
      })
      return
    }
    const isNamed = isJsonObject(outcome.data) && outcome.data['uri'] === uri
    if (isNamed) return
    probe.inform({
      ...common,
      expected: 'the URI in the data of the error',
      member: '/error/data/uri',
      statement: probe.isModern ? 'resources.not-found-32602' : 'resources.not-found-32002',
    })
  },
  { title: 'Resources that do not exist are reported as not found' },
)

const BAD_URIS = [
  '',
  '::',
  'http://[',
  'patchbay://a\nb',
  'patchbay://a\u0000b',
  `patchbay://${'x'.repeat(65_536)}`,
]

export const badUri = serverCheck(
  'resources.server.bad-uri',
  async (probe) => {
    probe.requireCapability('resources')
    const connection = await probe.connect()
    for (const uri of BAD_URIS) {
      const outcome = await connection.call('resources/read', { uri })
      const isRefused =
        (outcome.type === 'error' && outcome.code !== -32603) ||
        (outcome.type === 'http' && outcome.status >= 400 && outcome.status < 500)
      probe.expect(isRefused, {
        expected: `${shortJson(uri)} refused as invalid or not found`,
        actual: describeOutcome(outcome),
        member: outcome.type === 'error' ? '/error/code' : '/result',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
        ...(outcome.type === 'error' && { severity: 'warning' }),
      })
      if (connection.closedReason !== undefined) return
    }
  },
  { title: 'Malformed URIs are refused' },
)

export const internalError = serverCheck(
  'resources.server.internal-error',
  async (probe) => {
    const failing = failingRequest(probe)
    if (failing === undefined) return probe.notApplicable('no resource or prompt is known to fail')
    const connection = await probe.connect()
    const outcome = await connection.call(failing.method, failing.params)
    probe.expect(outcome.type === 'error', {
      severity: 'warning',
      expected: 'error -32603',
      actual: describeOutcome(outcome),
      member: '/result',
      statement: failing.method === 'prompts/get' ? 'prompts.error-internal' : 'resources.internal-error',
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    })
  },
  { title: 'A failing read is an internal error' },
)

/** What is called failing by its name: a template, a resource or a prompt. */
function failingRequest(probe: ServerProbe): { method: string; params: JsonObject } | undefined {
  const { resources, templates, prompts } = probe.server
  const isFailing = (value: unknown) => typeof value === 'string' && /\bfailing\b|_failing\b/.test(value)
  const template = templates.find(({ uriTemplate }) => isFailing(uriTemplate))?.['uriTemplate']
  if (typeof template === 'string')
    return { method: 'resources/read', params: { uri: template.replace(/\{[^}]*\}/g, '1') } }
  const resource = resources.find(({ uri }) => isFailing(uri))
  if (resource !== undefined) return { method: 'resources/read', params: { uri: resource['uri'] } }
  const prompt = prompts.find(({ name }) => isFailing(name))
  return prompt && { method: 'prompts/get', params: { name: prompt['name'] } }
}
