const CLIENT_ANSWERS_NOTHING =
  'a client of 2026-07-28 answers no requests, so it writes no errors that the check could read'
const NO_AUTHORITY = 'no authorization server is under test, so the check is never applicable'
const NO_PROXY =
  'no proxy with a static client at an upstream authorization server is under test, so the check is never applicable'
const NO_SCHEMA = 'a client sends a server no schema, so the check is never applicable'
const NO_DOCUMENT = 'the reference client has no metadata document that can be fetched by https'

/** The examinations that no mutant proves, and why. Whoever writes one removes its line. */
export const WITHOUT_MUTANT: Readonly<Record<string, string>> = {
  'base.error.reserved-codes/client': CLIENT_ANSWERS_NOTHING,
  'base.error.private-codes/client': CLIENT_ANSWERS_NOTHING,
  'json-schema.ref-canary/server': NO_SCHEMA,
  'json-schema.bomb/server': NO_SCHEMA,
  'json-schema.ref-guards/client': 'the reference client has no mode in which it follows references',
  'lists.client.by-authorization/client': 'the exam gives a client one principal',
  'tools.client.collision/client': 'the exam gives a client one server',
  'elicitation.server.foreign-credentials/server': 'the reference server knows no third party',
  'auth.server.passthrough/server': 'no tool of the reference server calls an upstream server of the exam',
  'auth.client.cimd/client': NO_DOCUMENT,
  'auth.client.prereg-mismatch/client': 'the reference client has no credentials from a registration by hand',
  'auth.as.redirect/server': NO_AUTHORITY,
  'auth.as.cimd/server': NO_AUTHORITY,
  'auth.as.iss/server': NO_AUTHORITY,
  'auth.as.tokens/server': NO_AUTHORITY,
  'security.proxy.consent/server': NO_PROXY,
  'security.proxy.redirect/server': NO_PROXY,
  'security.proxy.state/server': NO_PROXY,
  'security.client.url-open/client': 'the opener of a client cannot be replaced by a canary from outside',
  'security.client.csp/client': 'the reference client is not a web page',
}
