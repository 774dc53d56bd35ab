import { reachOfHost } from './policy.ts'

/** Characters of a URL that a browser is asked to open. */
const MAX_LENGTH = 8_000

/** Whether a browser may open a URL; if so, what to hand to the system and what to show of it. */
export type Opening =
  | {
      readonly ok: true
      /** The URL to open: ASCII, and without characters that a shell would read as its own. */
      readonly href: string
      /** Whom it leads to, to be shown before it is opened; names in their ASCII form. */
      readonly host: string
    }
  | { readonly ok: false; readonly why: string }

/** ASCII characters that URLs let pass and shells read as their own; percent-encoded they mean the same to servers. */
const FOR_SHELLS = /[`$'"()|^<>\\{}!*]/g

/**
 * Returns whether a browser may open a URL that a server gave: https anywhere, or http on this machine; nothing that
 * reads differently from what it is (control characters, spaces, backslashes, a user before the host, stray percent
 * signs), nothing over 8,000 characters. The `href` is to be shown whole and opened without a shell.
 */
export function mayOpen(given: string): Opening {
  if (given.length > MAX_LENGTH) {
    return no(`It has ${given.length} characters; ${MAX_LENGTH} at most are opened.`)
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u.test(given)) {
    return no('It holds spaces, backslashes, control characters or invisible ones.')
  }
  const url = URL.parse(given)
  if (url === null) return no('It is not an absolute URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return no(`Only https is opened, not ${url.protocol}`)
  }
  if (!/^https?:\/\/[^/]/i.test(given)) return no('Two slashes and a host must follow its scheme.')
  if (url.protocol === 'http:' && reachOfHost(url) !== 'loopback') {
    return no('Only https is opened, and http on this machine.')
  }
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(given)) {
    return no('It names a user before its host, as URLs do that pretend to lead elsewhere.')
  }
  if (/%(?![0-9a-f]{2})/i.test(url.href)) return no('It holds a percent sign that encodes nothing.')
  const place = url.href.slice(url.origin.length).replace(FOR_SHELLS, percentEncoded)
  return { ok: true, href: url.origin + place, host: url.host }
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function no(why: string): Opening {
  return { ok: false, why }
}
