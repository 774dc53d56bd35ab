import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const SECRET = /token|secret|password|passphrase|credential|nonce|verifier|signature|digest|hmac|apikey/i
const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
])

const OURS = 'both sides are ours; nobody else chooses one of them'
const PUBLIC = 'both sides are known to whoever could measure'
const EXAM = 'the exam of a client hands its own codes to that client; they protect nothing'
/** Comparisons whose duration reveals nothing. Anything a caller sends is compared by `timingSafeEqual`. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server-core/listener/bearer-token.ts: token === other[index]?.token': OURS,
  'server-core/scripts/script-loader.ts: (await signatureOf(before.bundle.inputs)) !== before.signature':
    OURS,
  'server-core/profile/secret-fields.ts: withoutAddressSecrets(value) !== value': OURS,
  'server-core/oauth/client-authorization.ts: stored.accessToken !== this.#tokens.accessToken': OURS,
  'server-core/oauth/credentials.ts: each.refreshToken === refreshToken': OURS,
  'server-core/oauth/revocation.ts: token === tokens.refreshToken': OURS,
  'server-core/oauth/presented-fetch.ts: URL.parse(url)?.href !== tokenUrl': PUBLIC,
  'server-core/oauth/registration.ts: method === token_endpoint_auth_method': PUBLIC,
  'server-core/oauth/grants/dpop-presentation.ts: nonce !== earlier': PUBLIC,
  "server-core/oauth/grants/dpop-presentation.ts: nonce !== nonceIn(sent?.['dpop'])": PUBLIC,
  "server-core/oauth/grants/enterprise-managed.ts: reply['issued_token_type'] !== ID_JAG": PUBLIC,
  'server-core/conformance/exam/exam-authority.ts: challenge === verifier': EXAM,
  "server-core/conformance/exam/exam-authority.ts: createHash('sha256').update(verifier).digest('base64url') === challenge":
    EXAM,
  'server-core/conformance/checks/tasks/progress-and-ends.ts: given === token': PUBLIC,
  "server-core/conformance/checks/http26/endpoint.ts: params['progressToken'] === token": PUBLIC,
  'server-core/conformance/checks/progress/client-progress.ts: progressToken !== TOKEN': PUBLIC,
  "server-core/conformance/checks/cancel/server-effects.ts: params['progressToken'] === token": PUBLIC,
  'server-core/replay/recorded-answers.ts: progressTokenOf(params) === token': PUBLIC,
  'server-core/cli/lock/lock-report.ts: tokensBefore === tokens': PUBLIC,
}

/** Something whose text is in the source: comparing with it reveals no secret. */
function isConstant(node: ts.Expression): boolean {
  if (ts.isTypeOfExpression(node)) return true
  return (
    ts.isLiteralExpression(node) ||
    [ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind) ||
    (ts.isIdentifier(node) && node.text === 'undefined')
  )
}

/** The last name of an expression: what it is, not what it belongs to. */
function nameOf(node: ts.Expression, source: ts.SourceFile): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node)) return node.argumentExpression.getText(source)
  if (ts.isCallExpression(node)) return nameOf(node.expression, source)
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node))
    return nameOf(node.expression, source)
  return ''
}

function comparisonsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (!SECRET.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind)) {
      const { left, right } = node
      const isSecret = [left, right].some((side) => SECRET.test(nameOf(side, source)))
      if (isSecret && !isConstant(left) && !isConstant(right)) found.push(node.getText(source))
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return found.map((comparison) => `${path.relative(root, file)}: ${comparison}`)
}

it('compares no secret by ===, which takes longer the more of it is right', () => {
  const files = globSync(['server-core/**/*.ts', 'electron/**/*.ts'], { cwd: root })
    .filter((file) => !/\.test\.ts$|test-support|\/(testing|fixtures|launcher|interop)\//.test(file))
    .map((file) => path.join(root, file))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap(comparisonsIn)
  expect(found.filter((each) => !(each in ALLOWED))).toEqual([])
  // An entry that no longer exists need not be allowed.
  expect(Object.keys(ALLOWED).filter((each) => !found.includes(each))).toEqual([])
})
