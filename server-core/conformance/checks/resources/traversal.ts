import { serverCheck } from '../../check.ts'
import { describeOutcome } from '../../probe/outcome.ts'

/** Paths to files that nearly every machine has, in forms that a check before decoding lets through. */
const UP = '../../../../../../../../..'
const PATHS = [
  `${UP}/etc/passwd`,
  `${UP}/etc/passwd`.replaceAll('../', '%2e%2e%2f'),
  `${UP}/etc/passwd`.replaceAll('../', '%252e%252e%252f'),
  `${UP}/windows/win.ini`.replaceAll('/', '\\'),
  `${UP}/etc/passwd%00.txt`,
  '/etc/passwd',
  '%2Fetc%2Fpasswd',
]

/** The contents of those files. */
export const OUTSIDE = /root:[^:\n]*:0:0:|\[(?:fonts|extensions|mci extensions)\]/

export const traversal = serverCheck(
  'resources.server.traversal',
  async (probe) => {
    const { resources, templates } = probe.server
    const files = resources
      .map(({ uri }) => String(uri))
      .filter((uri) => uri.startsWith('file:'))
      .slice(0, 5)
    const attacked = [
      ...files.map((uri) => (path: string) => uri.replace(/[^/]*$/, () => path)),
      ...templates.slice(0, 10).map(
        ({ uriTemplate }) =>
          (path: string) =>
            String(uriTemplate).replace(/\{[^}]*\}/g, () => path),
      ),
    ]
    if (attacked.length === 0) probe.notApplicable('the server lists no file resources and no templates')
    const connection = await probe.connect()
    for (const uriWith of attacked) {
      for (const path of PATHS) {
        const uri = uriWith(path)
        const outcome = await connection.call('resources/read', { uri })
        const isOutside = outcome.type === 'result' && OUTSIDE.test(textOf(outcome.result['contents']))
        const isCrash = outcome.type === 'closed' && connection.closedReason !== undefined
        probe.expect(!isOutside && !isCrash, {
          expected: `${uri} refused, or read inside`,
          actual: isOutside ? 'a file of the system' : describeOutcome(outcome),
          member: '/result/contents',
          frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
        })
        if (isCrash) return
      }
    }
  },
  { title: 'Paths do not lead outside' },
)

/** All text of contents, blobs decoded. */
function textOf(contents: unknown): string {
  const items: unknown[] = Array.isArray(contents) ? contents : []
  return items
    .map((item) => {
      if (typeof item !== 'object' || item === null) return ''
      if ('text' in item) return String(item.text)
      return 'blob' in item ? Buffer.from(String(item.blob), 'base64').toString() : ''
    })
    .join('\n')
}
