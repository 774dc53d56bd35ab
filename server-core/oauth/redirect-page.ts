/** What the browser shows at the end. Nothing of the request is in it, and it runs nothing. */
function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Patchbay</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 20vh auto 0; max-width: 32rem; padding: 0 1rem }
  h1 { font-size: 1.25rem }
</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`
}

export const PAGES = {
  taken: page(
    'You can close this page',
    'Patchbay has the answer and goes on. Go back to it to see the result.',
  ),
  foreign: page(
    'This is not the answer that Patchbay waits for',
    'It belongs to another request, or to none. Nothing was taken from it. If you did not come here from an authorization page, somebody may have sent you here.',
  ),
  over: page(
    'This page was used already',
    'Patchbay waits for no answer any more. Start again from Patchbay.',
  ),
  missing: page('There is nothing here', 'Patchbay listens here for the end of an authorization only.'),
} as const

/** No script, no frame, no referrer: the address holds a code until the browser leaves it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  connection: 'close',
}
