import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayOpen } from './guarded-opener.ts'

const REFUSED = [
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:alert(1)'],
  ...['data:text/html,<script>1</script>', 'vbscript:msgbox(1)', 'blob:https://x.example/1', 'about:blank'],
  ...[
    'file:///etc/passwd',
    'file://host/share',
    '\\\\host\\share',
    '//host/share',
    'smb://host/share',
    'C:\\x.exe',
  ],
  ...[
    'search-ms:query=x',
    'ms-msdt:/id x',
    'ms-officecmd:{}',
    'patchbay://oauth',
    'mailto:a@b',
    'tel:1',
    'ssh://h',
  ],
  ...[
    'ftp://x.example/',
    'ws://x.example/',
    'wss://x.example/',
    'view-source:https://x.example/',
    'intent://x',
  ],
  ...['http://x.example/', 'http://10.0.0.1/', 'http://169.254.169.254/', 'http://localhost.example/'],
  ...[
    'http://127.0.0.1.example/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://a.localhost/',
    'http:localhost',
  ],
  ...[
    'https://user@x.example/',
    'https://user:pass@x.example/',
    'https://@x.example/',
    'https://:@x.example/',
  ],
  ...[
    'https://login.example@evil.example/',
    'https://login.example%40evil.example/',
    'https://x.example\\@evil/',
  ],
  ...[
    'https://x.example\\path',
    'https:\\\\x.example',
    'https:/x.example',
    'https:x.example',
    'https:///x.example',
  ],
  ...[
    ' https://x.example',
    'https://x.example ',
    'https://x.example/a b',
    'https://x.example/\r\nHost: evil',
  ],
  ...[
    'https://x.example/\u202Etxt.exe',
    'https://x.example/\u200B',
    'https://x.example/\u0000',
    'https://x.\u00ADexample',
  ],
  ...[
    'https://x.example/%USERPROFILE%',
    'https://x.example/%',
    'https://x.example/?a=%4',
    'https://x.example/\uD800',
  ],
  ...[
    '',
    'x.example',
    '/path',
    '?q',
    '#f',
    'https://',
    'https://%',
    'https://[::1',
    'https://x.example:99999/',
  ],
]

describe('what a browser may open', () => {
  it('is https, or http on this machine', () => {
    for (const url of [
      'https://x.example/',
      'https://x.example:8443/authorize?client_id=a&scope=b%20c#f',
      'HTTPS://X.example/',
      'https://[2606:4700::1111]/',
      'http://localhost:3000/x',
      'http://127.0.0.1:3000/x',
      'http://[::1]:3000/x',
    ]) {
      expect(mayOpen(url)).toEqual({ ok: true, href: new URL(url).href, host: new URL(url).host })
    }
  })

  it('is nothing else', () => {
    for (const url of REFUSED) expect([url, mayOpen(url).ok]).toEqual([url, false])
    expect(mayOpen(`https://x.example/${'a'.repeat(8_000)}`)).toMatchObject({
      ok: false,
      why: expect.stringMatching(/8000 at most/) as unknown,
    })
  })

  it('is shown with the name that is looked up', () => {
    expect(mayOpen('https://аpple.example/')).toMatchObject({ ok: true, host: 'xn--pple-43d.example' })
    expect(mayOpen('https://ⓧ.example/')).toMatchObject({ ok: true, host: 'x.example' })
  })

  it('holds nothing that a shell reads, whatever it was given', () => {
    expect(mayOpen('https://x.example/$(id)`id`\'"|^?a=$HOME&b=(1)#<x>')).toMatchObject({
      ok: true,
      href: 'https://x.example/%24%28id%29%60id%60%27%22%7C%5E?a=%24HOME&b=%281%29#%3Cx%3E',
    })
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom('', 'a.', 'ö.', '-', ':8443'), fc.string({ unit: 'grapheme' })),
        ([extra, part]) => {
          const url = extra.startsWith(':')
            ? `https://x.example${extra}/${part}`
            : `https://${extra}x.example?${part}`
          const opening = mayOpen(url)
          if (!opening.ok) return
          expect(opening.href).toMatch(/^https:\/\/[\w.[\]:-]+\/[\w\-.~:/?#[\]@&+,;=%]*$/)
          expect(new URL(opening.href).origin).toBe(new URL(url).origin)
          expect(mayOpen(opening.href)).toEqual(opening)
        },
      ),
    )
  })
})
