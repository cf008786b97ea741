const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
/** Characters that an XML 1.0 document cannot contain in any way: they are left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Returns an element with text content. `attributes` are written already, with a space before each. */
export function element(name: string, content: string, attributes = ''): string {
  // A line feed stays one; a carriage return would become one.
  const escaped = content.replace(/[&<>\r]/g, escapeOf)
  return `<${name}${attributes}>${escaped.replace(NOT_XML, '')}</${name}>`
}

/** Returns a text for an attribute in double quotes. */
export function inAttribute(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, escapeOf).replace(NOT_XML, '')
}

function escapeOf(character: string): string {
  return ESCAPES[character] ?? character
}
