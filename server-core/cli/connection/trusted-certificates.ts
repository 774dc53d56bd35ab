import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { UsageError } from '../output/exit-code.ts'
import { writeStderr } from '../output/output.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** How the certificates of servers are checked, as it was typed. */
export type CertificateFlags = { readonly cacert?: string; readonly insecure?: true }

/**
 * Makes this process trust the certificates in a PEM file beside the usual ones, or any certificate. It holds for every
 * connection of the command, authorization servers included. Started servers do not inherit it.
 *
 * @throws UsageError if the file cannot be read or has no certificate
 */
export function trustCertificates({ cacert, insecure }: CertificateFlags): void {
  if (cacert !== undefined) {
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, ...certificatesIn(cacert)])
  }
  if (insecure !== true) return
  // Node warns with advice about a variable that nobody set; our own words replace it.
  process.removeAllListeners('warning')
  process.on('warning', ({ message }) => {
    if (!message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) writeStderr(message)
  })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  writeStderr(
    'WARNING: --insecure: no certificate is checked. Anybody between here and the server can read and change ' +
      'everything, tokens included.',
  )
}

function certificatesIn(file: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = messageOf(cause)
    throw new UsageError(`--cacert expects a PEM file that can be read (${reason})`, { cause })
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (found === null)
    throw new UsageError(`--cacert expects a PEM file with "-----BEGIN CERTIFICATE-----"; ${file} has none`)
  return found
}
