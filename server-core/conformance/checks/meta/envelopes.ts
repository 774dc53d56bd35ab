import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import { isWithoutEnvelope } from '../../passive/without-envelope.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

export const requiredClient = passiveCheck(
  'meta.required.client',
  (transcript) => {
    const older = new Set<number>()
    for (const { message, frame, pointer } of transcript.examined(({ kind }) => kind === 'request')) {
      // A client of both eras goes on with an older revision where it begins with initialize.
      if (message['method'] === 'initialize') older.add(frame.connection.number)
      if (older.has(frame.connection.number)) continue
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
      const info = meta[MetaKey.clientInfo]
      const place = (key: string) => ({ member: `${pointer}/params/_meta/${key.replace('/', '~1')}`, frame })
      if (typeof meta[MetaKey.protocolVersion] !== 'string')
        transcript.fail({
          expected: 'the revision as a string',
          actual: shortJson(meta[MetaKey.protocolVersion]),
          statement: 'meta.request.required-fields',
          ...place(MetaKey.protocolVersion),
        })
      if (!isJsonObject(meta[MetaKey.clientCapabilities]))
        transcript.fail({
          expected: 'the capabilities as an object',
          actual: shortJson(meta[MetaKey.clientCapabilities]),
          statement: 'meta.request.required-fields',
          ...place(MetaKey.clientCapabilities),
        })
      if (!isJsonObject(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string')
        transcript.warn({
          expected: 'clientInfo with name and version',
          actual: shortJson(info),
          statement: 'meta.request.client-info',
          ...place(MetaKey.clientInfo),
        })
    }
  },
  { title: 'Requests carry revision, capabilities and clientInfo' },
)

export const serverInfo = passiveCheck(
  'meta.server-info',
  (transcript) => {
    for (const { message, frame, pointer, answers } of transcript.examined(
      ({ message: { result }, revision }) => isJsonObject(result) && revision >= '2026-07-28',
    )) {
      if (answers !== undefined && isWithoutEnvelope(answers.message)) continue
      const result = isJsonObject(message['result']) ? message['result'] : {}
      const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
      const info = meta[MetaKey.serverInfo]
      if (isJsonObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string')
        continue
      transcript.fail({
        expected: 'serverInfo with name and version',
        actual: shortJson(info),
        member: `${pointer}/result/_meta/io.modelcontextprotocol~1serverInfo`,
        frame,
      })
    }
  },
  { title: 'Results carry serverInfo' },
)

const FAULTS: readonly { readonly what: string; readonly envelope: JsonObject; readonly isBare?: true }[] = [
  {
    what: 'no _meta',
    envelope: {
      [MetaKey.protocolVersion]: undefined,
      [MetaKey.clientCapabilities]: undefined,
      [MetaKey.clientInfo]: undefined,
    },
    isBare: true,
  },
  { what: 'no revision', envelope: { [MetaKey.protocolVersion]: undefined }, isBare: true },
  { what: 'no capabilities', envelope: { [MetaKey.clientCapabilities]: undefined } },
  { what: 'the revision 3', envelope: { [MetaKey.protocolVersion]: 3 } },
  { what: 'the capabilities "x"', envelope: { [MetaKey.clientCapabilities]: 'x' } },
]

export const requiredServer = serverCheck(
  'meta.required.server',
  async (probe) => {
    const isHttp = probe.cell.transport === 'http'
    const methods = probe.declares('tools') ? ['server/discover', 'tools/list'] : ['server/discover']
    for (const { what, envelope, isBare } of FAULTS) {
      for (const method of methods) {
        const connection = await probe.connect()
        const outcome = await connection.call(method, {}, { envelope })
        // A server of both eras takes a request without a revision for an older one.
        if (isBare === true && !isHttp) continue
        const codes = isHttp && what === 'the revision 3' ? [-32_602, -32_020] : [-32_602]
        const frame = outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]
        const isBareRefused =
          isBare === true && outcome.type !== 'result' && (outcome.http?.status ?? 0) >= 400
        if (isBareRefused) continue
        probe.expect(outcome.type === 'error' && codes.some((code) => code === outcome.code), {
          expected: `error ${codes.join(' or ')} for ${method} with ${what}`,
          actual: describeOutcome(outcome),
          statement: 'meta.request.missing-field-32602',
          frame,
        })
        if (isHttp && outcome.type === 'error')
          probe.expect(outcome.http?.status === 400, {
            expected: `HTTP 400 for ${method} with ${what}`,
            actual: describeOutcome(outcome),
            statement: 'meta.request.missing-field-http400',
            frame,
          })
      }
    }
  },
  { title: 'Requests without their metadata are refused' },
)

export const clientInfoOptional = serverCheck(
  'meta.client-info-optional',
  async (probe) => {
    const connection = await probe.connect()
    const method = probe.declares('tools') ? 'tools/list' : 'server/discover'
    const outcome = await connection.call(method, {}, { envelope: { [MetaKey.clientInfo]: undefined } })
    probe.expect(outcome.type === 'result', {
      expected: 'a result without clientInfo',
      actual: describeOutcome(outcome),
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    })
  },
  { title: 'clientInfo may be left out' },
)
