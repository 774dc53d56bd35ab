const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML 1.0 does not allow, even escaped. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Returns a text escaped for HTML and XML, in content and in attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
